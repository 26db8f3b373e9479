// A mesh under a test's control: every process, PostgreSQL and NATS can be killed and restarted, and
// fault proxies precede PostgreSQL and NATS.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { meshUsers, type NatsUser } from "@ems/deploy/nats-users";
import { localSecrets } from "@ems/deploy/secrets";
import { deployConfig } from "@ems/dev/config";
import type { Environment } from "@ems/dev/environment";
import { type Installation, openInstallation } from "@ems/dev/installation";
import { listNatsUsers, natsUrlAs } from "@ems/dev/nats";
import { type NatsServer, startNatsServer } from "@ems/dev/nats-server";
import { usersConfiguration } from "@ems/kit/events/nats/permissions";
import { streamName } from "@ems/kit/events/nats/topology";
import { secureRandom } from "@ems/kit/id";
import { type FaultProxy, startFaultProxy } from "@ems/test-support/fault-proxy";
import { connect } from "nats";
import pg from "pg";
import { newDataDirs } from "./data-dir.ts";
import { startFaultPostgres } from "./fault-postgres.ts";
import { type Fleet, type OwnEnvironment, startFleet } from "./fleet.ts";
import { natsServerBinary } from "./nats.ts";

export interface FaultMesh extends Fleet {
  /** URL of the first gateway. */
  readonly baseUrl: string;
  /** Directory with the files of PostgreSQL, NATS and the installation. */
  readonly directory: string;
  readonly installation: Installation;
  /** URL of the database as the superuser, through the proxy. */
  readonly databaseUrl: string;
  readonly postgresProxy: FaultProxy;
  readonly natsProxy: FaultProxy;
  killPostgres(): Promise<void>;
  restartPostgres(): Promise<void>;
  killNats(): Promise<void>;
  restartNats(): Promise<void>;
  /** Deletes the stream of events with its messages. */
  deleteStream(): Promise<void>;
  /** Runs SQL as the superuser, without the proxy. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** The test's own NATS user. */
const operator = "operator";

export interface FaultMeshOptions {
  readonly ownEnv?: OwnEnvironment;
  /** Environment of PostgreSQL. */
  readonly postgresEnv?: Readonly<Record<string, string>>;
}

/** Starts PostgreSQL (durable), NATS and `copies` of every process of the mesh. */
export async function startFaultMesh(
  env: Environment = {},
  copies = 1,
  { ownEnv, postgresEnv }: FaultMeshOptions = {},
): Promise<FaultMesh> {
  const { directory, postgresDir, dataDir } = await newDataDirs("ems-test-faults-");
  const secrets = await localSecrets(dataDir);
  const pass = secureRandom(16).toString("hex");
  const everything = { publish: [">"], subscribe: [">"] };
  const natsOptions = {
    binary: await natsServerBinary(),
    dir: join(directory, "nats"),
    access: usersConfiguration([
      ...listNatsUsers(secrets, meshUsers),
      { user: operator, password: JSON.stringify(pass), may: everything },
    ]),
  };
  const postgres = await startFaultPostgres(postgresDir, postgresEnv);
  let nats: NatsServer = await startNatsServer(natsOptions);
  const natsProxy = await startFaultProxy(() => nats.port);

  const adminUrl = new URL("/ems", postgres.url).href;
  const config = deployConfig({ DATA_DIR: dataDir, DATABASE_URL: adminUrl });
  const installation = await openInstallation(config, () => undefined);
  const base: Environment = {
    ...process.env,
    LOG_LEVEL: "info",
    DRAIN_DELAY_MS: "0",
    ...env,
  };
  const natsUrl = Object.assign(new URL(nats.url), { port: String(natsProxy.port) }).href;

  const urlAs = (user: NatsUser) => natsUrlAs(natsUrl, user, secrets);
  const fleet = await startFleet(base, installation, copies, { urlAs }, ownEnv);
  return {
    ...fleet,
    baseUrl: fleet.baseUrls[0] ?? "",
    directory,
    installation,
    databaseUrl: adminUrl,
    postgresProxy: postgres.proxy,
    natsProxy,
    killPostgres: postgres.kill,
    restartPostgres: postgres.start,
    async killNats() {
      process.kill(nats.pid, "SIGKILL");
      await nats.exited;
    },
    async restartNats() {
      nats = await startNatsServer(natsOptions);
    },
    async deleteStream() {
      const connection = await connect({ servers: `127.0.0.1:${nats.port}`, user: operator, pass });
      await (await connection.jetstreamManager()).streams.delete(streamName);
      await connection.close();
    },
    async sql(text, values) {
      const client = new pg.Client({ connectionString: new URL("/ems", postgres.directUrl()).href });
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    async close() {
      await fleet.close();
      await installation.close();
      await natsProxy.close();
      await nats.stop();
      await postgres.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
