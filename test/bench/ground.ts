// Base of a product: its code, and a PostgreSQL cluster and a NATS server of its own, so that costs are not shared.

import { join } from "node:path";
import { startNatsServer } from "@ems/dev/nats-server";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { natsServerBinary } from "../harness/nats.ts";
import type { Version } from "./checkout.ts";
import { benchDirectory } from "./directory.ts";

export interface Ground {
  /** Folder of the product's code. */
  readonly root: string;
  readonly postgresUrl: string;
  readonly postgresPid: number;
  readonly natsUrl: string;
  readonly natsPid: number;
  readonly dataDir: string;
}

export interface GroundOptions {
  /** Default: in memory, which has no room for a large database. */
  readonly onDisk?: boolean;
  /** Settings of PostgreSQL. */
  readonly postgres?: Readonly<Record<string, string>>;
}

/** Starts the servers; `stack` stops them and removes their data. */
export async function startGround(
  { root }: Version,
  stack: AsyncDisposableStack,
  { onDisk = false, postgres: settings = {} }: GroundOptions = {},
): Promise<Ground> {
  const directory = await benchDirectory(stack, onDisk);
  const postgres = await startEmbeddedPostgres({ dataDir: join(directory, "postgres"), settings });
  stack.defer(() => postgres.stop());
  const nats = await startNatsServer({
    binary: await natsServerBinary(),
    dir: join(directory, "nats"),
    user: "ems",
    password: "only-in-the-bench",
  });
  stack.defer(() => nats.stop());
  return {
    root,
    postgresUrl: postgres.url,
    postgresPid: postgres.pid,
    natsUrl: nats.url,
    natsPid: nats.pid,
    dataDir: join(directory, "product"),
  };
}
