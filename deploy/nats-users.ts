// Defines a NATS user for each process, with permission for only the subjects that it needs. guides/nats.md documents
// the permissions; test/house/nats-permissions checks that they are sufficient and minimal.

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

/** User of a process, or `all`, the user of `npm start`, which runs all services in one process. */
export type NatsUser = Exclude<ProcessName, "reporting"> | "all";

/** Returns the user's name in NATS, which is also the name of its connection. */
export function userName(user: NatsUser): string {
  return user === "all" ? "ems" : `ems-${user}`;
}

function publisher(service: NatsUser, user = service): NatsPermissions {
  return publisherPermissions(service, userName(user));
}

const gateway = listenerPermissions("api_key.deleted");
const publishers = ["identity", "catalog", "traces", "experiments", "evaluation", "notifications"] as const;

export const natsUsers: Readonly<Record<NatsUser, NatsPermissions>> = {
  identity: publisher("identity"),
  catalog: publisher("catalog"),
  traces: publisher("traces"),
  experiments: publisher("experiments"),
  evaluation: publisher("evaluation"),
  notifications: mergePermissions([publisher("notifications"), consumerPermissions(userName("notifications"))]),
  gateway,
  all: mergePermissions([
    ...publishers.map((service) => publisher(service, "all")),
    consumerPermissions(userName("all")),
    gateway,
  ]),
};

/** NATS users in a mesh: one for each process that uses NATS. */
export const meshUsers = processNames.filter((name) => mesh[name].uses.includes("nats")) as Exclude<NatsUser, "all">[];

/** Returns the `authorization` part of nats-server's configuration. `getPassword` returns quoted text or a variable. */
export function natsConfiguration(users: readonly NatsUser[], getPassword: (user: NatsUser) => string): string {
  return usersConfiguration(buildConfigurations(users, getPassword));
}

export function buildConfigurations(
  users: readonly NatsUser[],
  getPassword: (user: NatsUser) => string,
): NatsUserConfiguration[] {
  return users.map((user) => ({ user: userName(user), password: getPassword(user), may: natsUsers[user] }));
}
