// A user of NATS for each process that uses it, with exactly its subjects. README.md tells operators the same, and
// nats-permissions.test.ts tries it.

import {
  consumerPermissions,
  listenerPermissions,
  mergePermissions,
  type NatsPermissions,
  type NatsUserConfiguration,
  publisherPermissions,
  usersConfiguration,
} from "@ems/kit/events/nats/permissions";
import { mesh, type ProcessName, processNames } from "./mesh.ts";

/** `all`: everything in one process. */
export type NatsUser = Exclude<ProcessName, "reporting"> | "all";

/** As processes name themselves to NATS. */
export function userName(user: NatsUser): string {
  return user === "all" ? "ems" : `ems-${user}`;
}

function tells(service: NatsUser, user = service): NatsPermissions {
  return publisherPermissions(service, userName(user));
}

const hears = listenerPermissions("api_key.deleted");
const publishers = ["identity", "catalog", "experiments", "notifications"] as const;

export const natsUsers: Readonly<Record<NatsUser, NatsPermissions>> = {
  identity: tells("identity"),
  catalog: tells("catalog"),
  experiments: tells("experiments"),
  notifications: mergePermissions([tells("notifications"), consumerPermissions(userName("notifications"))]),
  gateway: hears,
  all: mergePermissions([
    ...publishers.map((service) => tells(service, "all")),
    consumerPermissions(userName("all")),
    hears,
  ]),
};

/** The users of a mesh: the processes that use NATS. */
export const meshUsers = processNames.filter((name) => mesh[name].uses.includes("nats")) as Exclude<NatsUser, "all">[];

/** What nats-server is told of `users`; `passwordOf` as it is to stand there, a quoted text or a variable. */
export function natsConfiguration(users: readonly NatsUser[], passwordOf: (user: NatsUser) => string): string {
  return usersConfiguration(configurationsOf(users, passwordOf));
}

export function configurationsOf(
  users: readonly NatsUser[],
  passwordOf: (user: NatsUser) => string,
): NatsUserConfiguration[] {
  return users.map((user) => ({ user: userName(user), password: passwordOf(user), may: natsUsers[user] }));
}
