import { secureRandom } from "@ems/kit/id";
import { serviceRig, testTenant } from "@ems/kit/testing";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { notificationsConfig } from "./config.ts";
import { notificationsSchema } from "./schema.ts";
import { createNotifications } from "./service.ts";

/** The one person whom the stand-in for identity knows. */
export const knownUser = { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };

/** Notifications on a database of its own; identity knows one user. */
export async function notificationsRig(env: Record<string, string> = {}) {
  const rig = await serviceRig({
    schema: notificationsSchema,
    config: notificationsConfig,
    build: createNotifications,
    env: { SEALING_KEYS: `test:${secureRandom(32).toString("base64")}`, ...env },
    peers: (router) => {
      router.service(UserService, {
        batchGetUsers: ({ ids }) => ({ users: ids.includes(knownUser.id) ? [knownUser] : [] }),
      });
    },
  });
  return { ...rig, tenant: testTenant() };
}
