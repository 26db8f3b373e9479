// What carries events between the processes of an installation: a NATS server of the operator's, or a nats-server that is
// found on this machine and started here, or nothing.

import { access, constants } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { startNatsServer } from "@ems/kit/events/nats/server";
import type { DeployConfig } from "./config.ts";
import type { Secrets } from "./secrets.ts";

export interface Nats {
  /** Undefined when there is none. */
  readonly url: string | undefined;
  close(): Promise<void>;
}

/** The server that NATS_URL names, else one that is started here when there is a nats-server to start. */
export async function openNats(
  config: DeployConfig,
  secrets: Secrets,
  tell: (sentence: string) => void,
): Promise<Nats> {
  const { NATS_URL: url, DATA_DIR } = config;
  const binary = url === undefined ? await binaryOf(config) : undefined;
  if (binary === undefined) return { url, close: async () => undefined };
  const dir = join(resolve(DATA_DIR), "nats");
  const server = await startNatsServer({ binary, dir, user: "ems", password: secrets.natsPassword });
  let isClosing = false;
  void server.exited.then((lastWords) => {
    if (!isClosing) tell(`nats-server ended by itself; events wait until the next start. ${lastWords}`);
  });
  return {
    url: server.url,
    close: async () => {
      isClosing = true;
      await server.stop();
    },
  };
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
