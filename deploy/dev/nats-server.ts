// Starts a nats-server, for an installation on one machine and for tests.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lockDataDir } from "./data-dir.ts";
import { killOnExit } from "./kill-on-exit.ts";
import { commandLineOf } from "./process-info.ts";
import { until } from "./until.ts";

export interface NatsServerOptions {
  /** Path of the program. */
  readonly binary: string;
  /** Directory of its messages and its configuration. */
  readonly dir: string;
  /** The only user, without restrictions, unless `access` is given. */
  readonly user?: string;
  readonly password?: string;
  /** Configuration of users and TLS, in place of that user. */
  readonly access?: string | undefined;
  /** IPv4 address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** A free one by default. */
  readonly port?: number;
  /** Its place in a cluster; a single server by default. */
  readonly cluster?: ClusterPlace | undefined;
}

export interface ClusterPlace {
  /** Unique in the cluster. */
  readonly serverName: string;
  /** Its cluster port. */
  readonly port: number;
  /** The cluster ports of all servers, all on one host. */
  readonly ports: readonly number[];
}

export interface NatsServer {
  /** With user and password unless `access` was given. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves with the last lines of its log when it has ended. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

const readyMs = 10_000;
const stopMs = 10_000;
/** More than the event stream's limit; by default the server reserves what the disk has free. */
const storeBytes = "16GB";

/** Starts the server with JetStream; resolves when it accepts connections. */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const dir = await realpath(options.dir);
  const lock = await lockDataDir(dir);
  try {
    await stopLeftover(dir);
    const server = await launch(options, dir);
    void server.exited.then(() => lock.release());
    return server;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function launch(options: NatsServerOptions, dir: string): Promise<NatsServer> {
  const { binary, user = "", password = "", access, host = "127.0.0.1", port = -1, cluster } = options;
  const configFile = configFileIn(dir);
  // A file, because every user of the machine can read a command line.
  await writeFile(configFile, configuration({ user, password, access, host, port, dir, cluster }), { mode: 0o600 });
  const child = spawn(binary, ["-c", configFile], { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log = (log + chunk).slice(-2_000);
  });
  await once(child, "spawn");
  const { pid = 0 } = child;
  killOnExit(child, "SIGTERM");
  let isGone = false;
  const exited = once(child, "close").then(() => {
    isGone = true;
    return log.trimEnd().split("\n").slice(-3).join("\n");
  });
  const stop = async () => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
    await exited;
    clearTimeout(timer);
  };
  let listening: number | undefined;
  await until(async () => {
    listening = log.includes("Server is ready") ? await portOf(dir, pid) : undefined;
    return isGone || listening !== undefined;
  }, readyMs);
  if (listening === undefined) {
    await stop();
    throw new Error(`nats-server did not start: ${await exited}`);
  }
  const userInfo = access === undefined ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : "";
  const url = `nats://${userInfo}${host}:${listening}`;
  return { url, port: listening, pid, exited, stop };
}

function configFileIn(dir: string): string {
  return join(dir, "nats.conf");
}

function configuration({
  user,
  password,
  access,
  host,
  port,
  dir,
  cluster,
}: Credentials & Pick<NatsServerOptions, "access" | "cluster"> & Place): string {
  const text = (value: string) => JSON.stringify(value);
  return `
host: ${text(host)}
port: ${port}
ports_file_dir: ${text(dir)}
pid_file: ${text(pidFileIn(dir))}
jetstream { store_dir: ${text(dir)}, max_file_store: ${storeBytes} }
${access ?? `authorization { user: ${text(user)}, password: ${text(password)} }`}
${cluster === undefined ? "" : clusterConfiguration(cluster, host, user, password)}`;
}

/** Servers authenticate to each other as the clients' user. */
function clusterConfiguration(place: ClusterPlace, host: string, user: string, password: string): string {
  const { serverName, port, ports } = place;
  const userInfo = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const routes = ports.map((one) => `"nats://${userInfo}@${host}:${one}"`).join(", ");
  return `
server_name: ${JSON.stringify(serverName)}
cluster {
  name: "ems", host: ${JSON.stringify(host)}, port: ${port}, routes: [${routes}]
  authorization { user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }
}
`;
}

interface Credentials {
  readonly user: string;
  readonly password: string;
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly dir: string;
}

function pidFileIn(dir: string): string {
  return join(dir, "nats.pid");
}

/** The port the server listens on, from its ports file. */
async function portOf(dir: string, pid: number): Promise<number | undefined> {
  const text = await readFile(await portsFileOf(dir, pid), "utf8").catch(() => "");
  const port = /"(?:nats|tls):\/\/[^"]*:(\d+)"/.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** The ports file is named after the program and the process. */
async function portsFileOf(dir: string, pid: number): Promise<string> {
  const names = await readdir(dir);
  return join(dir, names.find((name) => name.endsWith(`_${pid}.ports`)) ?? "none");
}

/** Stops the server that a killed run left: two servers would corrupt the store. */
async function stopLeftover(dir: string): Promise<void> {
  const pid = Number(await readFile(pidFileIn(dir), "utf8").catch(() => ""));
  if (!(pid > 0)) return;
  const isOurs = async () => (await commandLineOf(pid)).endsWith(` -c ${configFileIn(dir)}`);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!(await isOurs())) break;
    process.kill(pid, signal);
    await until(async () => !(await isOurs()), stopMs);
  }
  await rm(pidFileIn(dir), { force: true });
  await rm(await portsFileOf(dir, pid), { force: true });
}
