// The mesh on servers of a test: one or several PostgreSQL and NATS servers, and a receiver of its events.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { localSecrets } from "@ems/deploy/secrets";
import { deployConfig } from "@ems/dev/config";
import type { Environment } from "@ems/dev/environment";
import { type Installation, openInstallation } from "@ems/dev/installation";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import type { QueryResultRow } from "pg";
import { type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type Fleet, startFleet } from "../harness/fleet.ts";
import { readRows } from "../harness/standby.ts";
import { unlimited } from "../harness/unlimited.ts";
import { type NatsServers, startNats } from "./nats.ts";

export interface StoreOptions {
  /** URL of an existing PostgreSQL as a superuser. Default: a new single server. */
  readonly postgresUrl?: string;
  /** max_connections of the new server. */
  readonly maxConnections?: number;
  readonly natsServers?: 1 | 3;
}

/** Servers of a product, and a receiver of its events. */
export interface Stores {
  readonly directory: string;
  readonly installation: Installation;
  readonly receiver: EventReceiver;
  readonly nats: NatsServers;
  /** Environment of the processes in addition to the installation's. */
  readonly env: Environment;
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function startStores(options: StoreOptions = {}): Promise<Stores> {
  const { natsServers = 1, maxConnections = 200 } = options;
  await using stack = new AsyncDisposableStack();
  const directory = await temporaryDir("ems-test-scaling-");
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const [dataDir, postgresDir] = [join(directory, "data"), join(directory, "postgres")];
  let { postgresUrl } = options;
  if (postgresUrl === undefined) {
    const postgres = await startEmbeddedPostgres({ dataDir: postgresDir, maxConnections });
    stack.defer(() => postgres.stop());
    postgresUrl = postgres.url;
  }
  const receiver = await startEventReceiver();
  stack.defer(() => receiver.close());
  const nats = await startNats(directory, await localSecrets(dataDir), natsServers);
  stack.defer(() => nats.stop());
  const databaseUrl = new URL("/ems", postgresUrl).href;
  const config = deployConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  const installation = await openInstallation(config, () => undefined);
  stack.defer(() => installation.close());
  const own = { LOG_LEVEL: "info", DRAIN_DELAY_MS: "0", RECONCILE_MS: "1000", NATS_REPLICAS: String(natsServers) };
  const started = stack.move();
  return {
    directory,
    installation,
    receiver,
    nats,
    env: { ...process.env, ...own, ...receiver.env, ...unlimited },
    sql: (text, values) => readRows(databaseUrl, text, values),
    close: () => started.disposeAsync(),
  };
}

export interface ScaledProduct extends Omit<Stores, "env">, Fleet {
  readonly baseUrl: string;
}

/** Starts one process of each kind on these servers. */
export async function startScaledProduct(options: StoreOptions): Promise<ScaledProduct> {
  const stores = await startStores(options);
  try {
    const fleet = await startFleet(stores.env, stores.installation, 1, stores.nats);
    const close = async () => {
      await fleet.close();
      await stores.close();
    };
    return { ...stores, ...fleet, baseUrl: fleet.baseUrls[0] ?? "", close };
  } catch (error) {
    await stores.close();
    throw error;
  }
}
