// The mesh in the hands of a test that breaks it: every process, PostgreSQL and NATS can be killed and started again, and
// fault proxies stand before PostgreSQL and NATS.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Child, ready, startChild, stopChild } from "@ems/deploy/child";
import { deployConfig } from "@ems/deploy/config";
import { type Environment, environmentOf, type Ports, silentPorts } from "@ems/deploy/environment";
import { type Installation, openInstallation } from "@ems/deploy/installation";
import { type ProcessName, processNames } from "@ems/deploy/mesh";
import { type EmbeddedPostgres, startEmbeddedPostgres, throwAwayDir } from "@ems/kit/db/embedded/index";
import { type NatsServer, startNatsServer } from "@ems/kit/events/nats/server";
import { streamName } from "@ems/kit/events/nats/topology";
import { secureRandom } from "@ems/kit/id";
import { connect } from "nats";
import pg from "pg";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { natsServerBinary } from "./nats.ts";

export interface FaultMesh {
  readonly baseUrl: string;
  /** Where PostgreSQL, NATS and the installation keep their files. */
  readonly directory: string;
  readonly installation: Installation;
  readonly postgresProxy: FaultProxy;
  readonly natsProxy: FaultProxy;
  /** Where the process tells operators about itself. */
  adminUrl(name: ProcessName): string;
  /** Ends the process with SIGKILL, as a machine that is lost does. */
  kill(name: ProcessName): Promise<void>;
  /** Starts a process that was killed, at the address that it had, and waits until it is ready. */
  restart(name: ProcessName): Promise<void>;
  /** Starts another process beside the one there is; answers how to stop it. Nobody calls it, but it shares the work. */
  startSecond(name: ProcessName): Promise<() => Promise<void>>;
  killPostgres(): Promise<void>;
  restartPostgres(): Promise<void>;
  killNats(): Promise<void>;
  restartNats(): Promise<void>;
  /** Deletes the stream of events with all that is in it. */
  deleteStream(): Promise<void>;
  /** Runs SQL as the superuser, past the proxy. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Processes that ended though nobody killed them: which and why. */
  readonly crashes: readonly string[];
  /** Everything that the processes wrote so far. */
  output(): string;
  close(): Promise<void>;
}

/** Starts PostgreSQL (which keeps what it confirmed), NATS and every process of the mesh. */
export async function startFaultMesh(env: Environment = {}): Promise<FaultMesh> {
  const directory = await throwAwayDir("ems-test-faults-");
  const postgresDir = join(directory, "postgres");
  const natsOptions = {
    binary: await natsServerBinary(),
    dir: join(directory, "nats"),
    user: "ems",
    password: secureRandom(16).toString("hex"),
  };
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir: postgresDir });
  let nats: NatsServer = await startNatsServer(natsOptions);
  const postgresProxy = await startFaultProxy(() => Number(new URL(postgres.url).port));
  const natsProxy = await startFaultProxy(() => nats.port);
  const behindProxy = (url: string, port: number) => Object.assign(new URL(url), { port: String(port) }).href;

  const adminUrl = Object.assign(new URL(behindProxy(postgres.url, postgresProxy.port)), { pathname: "/ems" }).href;
  const config = deployConfig({ DATA_DIR: join(directory, "data"), DATABASE_URL: adminUrl });
  const installation = await openInstallation(config, () => undefined);
  const base: Environment = {
    ...process.env,
    LOG_LEVEL: "info",
    DRAIN_DELAY_MS: "0",
    NATS_URL: behindProxy(nats.url, natsProxy.port),
    ...env,
  };

  let output = "";
  const ports: Record<ProcessName, Ports[ProcessName]> = { ...silentPorts() };
  const children = new Map<ProcessName, Child>();
  const crashes: string[] = [];
  let isClosing = false;
  const write = (chunk: Buffer) => {
    output += chunk.toString();
  };
  const start = (name: ProcessName, at: Ports) => startChild(name, environmentOf(name, base, installation, at), write);
  const restart = async (name: ProcessName) => {
    const child = start(name, ports);
    children.set(name, child);
    void child.ended.then((why) => {
      if (!isClosing && child.process.signalCode !== "SIGKILL") crashes.push(why);
    });
    const { port, adminUrl: admin } = await ready(child);
    ports[name] = { port, adminPort: Number(new URL(admin).port) };
  };
  for (const name of processNames) await restart(name);

  return {
    baseUrl: `http://127.0.0.1:${ports.gateway.port}`,
    directory,
    installation,
    postgresProxy,
    natsProxy,
    adminUrl: (name) => `http://127.0.0.1:${ports[name].adminPort}`,
    async kill(name) {
      const child = children.get(name);
      child?.process.kill("SIGKILL");
      await child?.ended;
    },
    restart,
    async startSecond(name) {
      const child = start(name, { ...ports, [name]: { port: 0, adminPort: 0 } });
      await ready(child);
      return () => stopChild(child);
    },
    async killPostgres() {
      process.kill(postgres.pid, "SIGKILL");
      await postgres.exited;
    },
    async restartPostgres() {
      postgres = await startEmbeddedPostgres({ dataDir: postgresDir });
    },
    async killNats() {
      process.kill(nats.pid, "SIGKILL");
      await nats.exited;
    },
    async restartNats() {
      nats = await startNatsServer(natsOptions);
    },
    async deleteStream() {
      const { user, password: pass } = natsOptions;
      const connection = await connect({ servers: `127.0.0.1:${nats.port}`, user, pass });
      await (await connection.jetstreamManager()).streams.delete(streamName);
      await connection.close();
    },
    async sql(text, values) {
      const client = new pg.Client({ connectionString: new URL("/ems", postgres.url).href });
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    crashes,
    output: () => output,
    async close() {
      isClosing = true;
      for (const child of [...children.values()].reverse()) await stopChild(child);
      await installation.close();
      await natsProxy.close();
      await postgresProxy.close();
      await nats.stop();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
