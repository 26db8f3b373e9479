// Starts a nats-server for a local installation and for tests.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lockDataDir } from "./data-dir.ts";
import { killOnExit } from "./kill-on-exit.ts";
import { readCommandLineArguments } from "./process-info.ts";
import { until } from "./until.ts";

export interface NatsServerOptions {
  /** Path of the nats-server program. */
  readonly binary: string;
  /** Directory in which the server stores messages and configuration. */
  readonly dir: string;
  /** Name of the only user, who has all permissions. Ignored if `access` is set. */
  readonly user?: string;
  readonly password?: string;
  /** Server configuration with users and TLS, used instead of `user`. */
  readonly access?: string | undefined;
  /** IPv4 listen address; default 127.0.0.1. */
  readonly host?: string;
  /** Port for clients. Default: a free port. */
  readonly port?: number;
  /** This server's name and ports in a cluster; default: a single server without a cluster. */
  readonly cluster?: ClusterPlace | undefined;
}

export interface ClusterPlace {
  /** Name of this server, unique in the cluster. */
  readonly serverName: string;
  /** Cluster port of this server. */
  readonly port: number;
  /** Cluster ports of all servers on the host. */
  readonly ports: readonly number[];
}

export interface NatsServer {
  /** URL, with user and password unless `access` was set. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves with the last log lines when the server has ended. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

const readyMs = 10_000;
const stopMs = 10_000;
/** Maximum storage, above the event stream's limit. Without it, the server would reserve the disk's free space. */
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
  // Use a file for the password, because every user on the machine can read a command line.
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
    listening = log.includes("Server is ready") ? await readPort(dir, pid) : undefined;
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

/** Builds the cluster configuration. Servers authenticate to each other with the same user as clients. */
function clusterConfiguration(place: ClusterPlace, host: string, user: string, password: string): string {
  const { serverName, port, ports } = place;
  const userInfo = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const routes = ports.map((peer) => `"nats://${userInfo}@${host}:${peer}"`).join(", ");
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

/** Reads the server's port from the ports file that the server writes. */
async function readPort(dir: string, pid: number): Promise<number | undefined> {
  const text = await readFile(await findPortsFile(dir, pid), "utf8").catch(() => "");
  const port = /"(?:nats|tls):\/\/[^"]*:(\d+)"/.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Finds the ports file, which is named after the program and the process. */
async function findPortsFile(dir: string, pid: number): Promise<string> {
  const names = await readdir(dir);
  return join(dir, names.find((name) => name.endsWith(`_${pid}.ports`)) ?? "none");
}

/** Stops the server that a killed run left running, because two servers would corrupt the same store. */
async function stopLeftover(dir: string): Promise<void> {
  const pid = Number(await readFile(pidFileIn(dir), "utf8").catch(() => ""));
  if (!(pid > 0)) return;
  const isOurs = async () => (await readCommandLineArguments(pid)).endsWith(` -c ${configFileIn(dir)}`);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!(await isOurs())) break;
    process.kill(pid, signal);
    await until(async () => !(await isOurs()), stopMs);
  }
  await rm(pidFileIn(dir), { force: true });
  await rm(await findPortsFile(dir, pid), { force: true });
}
