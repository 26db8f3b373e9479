// Provides NATS for an installation: the server in NATS_URL, else a nats-server started on this machine, else none.

import { access, constants } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { readerConfiguration } from "@ems/deploy/nats-readers";
import { buildConfigurations, type NatsUser, userName } from "@ems/deploy/nats-users";
import type { Secrets } from "@ems/deploy/secrets";
import { openNatsBus } from "@ems/kit/events/nats/bus";
import { type NatsUserConfiguration, usersConfiguration } from "@ems/kit/events/nats/permissions";
import { createLog } from "@ems/kit/log";
import type { DeployConfig } from "./config.ts";
import { startNatsServer } from "./nats-server.ts";

export interface Nats {
  /** URL of the server started on this machine, without a password. */
  readonly url: string | undefined;
  /** Returns the URL for `user`, with a password if the server was started here; undefined without a server. */
  urlAs(user: NatsUser): string | undefined;
  close(): Promise<void>;
}

export async function openNats(
  config: DeployConfig,
  secrets: Secrets,
  users: readonly NatsUser[],
  print: (line: string) => void,
): Promise<Nats> {
  const { NATS_URL: url, DATA_DIR } = config;
  const binary = url === undefined ? await findBinary(config) : undefined;
  if (binary === undefined) return { url: undefined, urlAs: () => url, close: async () => undefined };
  const dir = join(resolve(DATA_DIR), "nats");
  const server = await startNatsServer({ binary, dir, access: usersConfiguration(listNatsUsers(secrets, users)) });
  if (users.includes("notifications")) await createStream(natsUrlAs(server.url, "notifications", secrets), config);
  let isClosing = false;
  void server.exited.then((lastLog) => {
    if (!isClosing)
      print(`nats-server ended unexpectedly; events stay in the outboxes until the next start. ${lastLog}`);
  });
  return {
    url: server.url,
    urlAs: (user) => natsUrlAs(server.url, user, secrets),
    close: async () => {
      isClosing = true;
      await server.stop();
    },
  };
}

/** Creates the event stream before its publishers start: notifications also creates it, but starts after them. */
async function createStream(url: string, { LOG_LEVEL }: DeployConfig): Promise<void> {
  const options = { url, name: userName("notifications"), replicas: 1, log: createLog("up", LOG_LEVEL) };
  await (await openNatsBus(options)).close();
}

/** Lists the users of processes, and the readers that `ems nats user --local` created. */
export function listNatsUsers(secrets: Secrets, users: readonly NatsUser[]): NatsUserConfiguration[] {
  const processUsers = buildConfigurations(users, (user) => JSON.stringify(secrets.natsPasswords[user]));
  return [...processUsers, ...secrets.natsReaders.map(readerConfiguration)];
}

/** Returns `url` with name and password of `user`. */
export function natsUrlAs(url: string, user: NatsUser, { natsPasswords }: Secrets): string {
  return Object.assign(new URL(url), { username: userName(user), password: natsPasswords[user] }).href.replace(
    /\/$/,
    "",
  );
}

/** Returns the path of the nats-server to start; undefined without one. */
async function findBinary({ NATS_SERVER, PATH }: DeployConfig): Promise<string | undefined> {
  if (NATS_SERVER === "none") return undefined;
  const candidates = NATS_SERVER ? [NATS_SERVER] : PATH.split(delimiter).map((folder) => join(folder, "nats-server"));
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  if (NATS_SERVER) throw new Error(`NATS_SERVER is not an executable file: ${NATS_SERVER}`);
  return undefined;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
