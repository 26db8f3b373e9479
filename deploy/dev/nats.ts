// What carries events between the processes of an installation: a NATS server of the operator's, or a nats-server that is
// found on this machine and started here, or nothing.

import { access, constants } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { configurationsOf, type NatsUser, userName } from "@ems/deploy/nats-users";
import type { Secrets } from "@ems/deploy/secrets";
import { openNatsBus } from "@ems/kit/events/nats/bus";
import { type NatsUserConfiguration, usersConfiguration } from "@ems/kit/events/nats/permissions";
import { createLog } from "@ems/kit/log";
import type { DeployConfig } from "./config.ts";
import { startNatsServer } from "./nats-server.ts";

export interface Nats {
  /** As that user, where the server is one that was started here; undefined when there is none. */
  urlAs(user: NatsUser): string | undefined;
  close(): Promise<void>;
}

/** The server that NATS_URL names, else one that is started here for `users` when there is a nats-server to start. */
export async function openNats(
  config: DeployConfig,
  secrets: Secrets,
  users: readonly NatsUser[],
  tell: (sentence: string) => void,
): Promise<Nats> {
  const { NATS_URL: url, DATA_DIR } = config;
  const binary = url === undefined ? await binaryOf(config) : undefined;
  if (binary === undefined) return { urlAs: () => url, close: async () => undefined };
  const dir = join(resolve(DATA_DIR), "nats");
  const server = await startNatsServer({ binary, dir, access: usersConfiguration(natsUsersOf(secrets, users)) });
  if (users.includes("notifications")) await makeStream(natsUrlAs(server.url, "notifications", secrets), config);
  let isClosing = false;
  void server.exited.then((lastWords) => {
    if (!isClosing) tell(`nats-server ended by itself; events wait until the next start. ${lastWords}`);
  });
  return {
    urlAs: (user) => natsUrlAs(server.url, user, secrets),
    close: async () => {
      isClosing = true;
      await server.stop();
    },
  };
}

/** As notifications does, which starts after those who tell events: their first ones need not wait for it. */
async function makeStream(url: string, { LOG_LEVEL }: DeployConfig): Promise<void> {
  const options = { url, name: userName("notifications"), replicas: 1, log: createLog("up", LOG_LEVEL) };
  await (await openNatsBus(options)).close();
}

/** The users of a server, as its configuration has them. */
export function natsUsersOf({ natsPasswords }: Secrets, users: readonly NatsUser[]): NatsUserConfiguration[] {
  return configurationsOf(users, (user) => JSON.stringify(natsPasswords[user]));
}

/** `url` as `user`. */
export function natsUrlAs(url: string, user: NatsUser, { natsPasswords }: Secrets): string {
  return Object.assign(new URL(url), { username: userName(user), password: natsPasswords[user] }).href.replace(
    /\/$/,
    "",
  );
}

/** The nats-server to start; undefined when there is none. */
async function binaryOf({ NATS_SERVER, PATH }: DeployConfig): Promise<string | undefined> {
  if (NATS_SERVER === "none") return undefined;
  const candidates = NATS_SERVER ? [NATS_SERVER] : PATH.split(delimiter).map((folder) => join(folder, "nats-server"));
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  if (NATS_SERVER) throw new Error(`NATS_SERVER names no program that can be run: ${NATS_SERVER}`);
  return undefined;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
