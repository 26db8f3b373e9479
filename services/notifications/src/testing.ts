import { secureRandom } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { serviceRig, testTenant } from "@ems/kit/testing";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { notificationsConfig } from "./config.ts";
import { notificationsSchema } from "./schema.ts";
import { createNotifications } from "./service.ts";

/** A person whom the stand-in for identity knows. */
export const knownUser = { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };

/** More of them: one without an address, and one with an address that is none. */
export const people = [
  knownUser,
  { id: "ben", name: "Ben" },
  { id: "mallory", name: "Mallory\r\nBcc: <eve@evil.example>", email: "mallory@example.com\r\nBcc: eve@evil.example" },
];

interface NotificationsRigOptions {
  readonly log?: Logger;
  /** Called whenever identity is asked for people; throws to have it fail. */
  readonly onUsersAsked?: () => void;
}

/** Notifications on a database of its own; identity knows `people`. */
export async function notificationsRig(env: Record<string, string> = {}, options: NotificationsRigOptions = {}) {
  const rig = await serviceRig({
    schema: notificationsSchema,
    config: notificationsConfig,
    build: createNotifications,
    env: { SEALING_KEYS: `test:${secureRandom(32).toString("base64")}`, ...env },
    log: options.log,
    peers: (router) => {
      router.service(UserService, {
        batchGetUsers: ({ ids }) => {
          options.onUsersAsked?.();
          return { users: people.filter(({ id }) => ids.includes(id)) };
        },
      });
    },
  });
  return { ...rig, tenant: testTenant() };
}
