// A nats-server of our own: for a product on one machine, and for tests. The binary comes from elsewhere.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { claimDataDir } from "./data-dir.ts";
import { commandLineOf } from "./process-info.ts";
import { until } from "./until.ts";

export interface NatsServerOptions {
  /** Path of the program. */
  readonly binary: string;
  /** Where it keeps its messages and its configuration. */
  readonly dir: string;
  /** Who may do everything, unless `access` says who may do what. */
  readonly user?: string;
  readonly password?: string;
  /** Configuration of who may connect, and how, in place of that user. */
  readonly access?: string | undefined;
  /** An IPv4 address of this machine where it listens; 127.0.0.1 by default. */
  readonly host?: string;
  /** A free one by default. */
  readonly port?: number;
  /** Its place among servers that keep events together; alone by default. */
  readonly cluster?: ClusterPlace | undefined;
}

export interface ClusterPlace {
  /** Unique in the cluster. */
  readonly serverName: string;
  /** Where it hears the others, at its host. */
  readonly port: number;
  /** Those ports of all servers, which are at one host. */
  readonly ports: readonly number[];
}

export interface NatsServer {
  /** With user and password, where one may do everything. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves with the last words of its log when it has ended, whether stopped or not. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

const readyMs = 10_000;
const stopMs = 10_000;
/** More than the event stream may take; without it the server would promise no more than the disk has free now. */
const storeBytes = "16GB";

/** Starts the server with JetStream and waits until it takes connections. */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const dir = await realpath(options.dir);
  const claim = await claimDataDir(dir);
  try {
    await stopLeftover(dir);
    const server = await launch(options, dir);
    void server.exited.then(() => claim.release());
    return server;
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function launch(options: NatsServerOptions, dir: string): Promise<NatsServer> {
  const { binary, user = "", password = "", access, host = "127.0.0.1", port = -1, cluster } = options;
  const configFile = configFileIn(dir);
  // Not on the command line, which everybody on the machine can read.
  await writeFile(configFile, configuration({ user, password, access, host, port, dir, cluster }), { mode: 0o600 });
  const child = spawn(binary, ["-c", configFile], { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log = (log + chunk).slice(-2_000);
  });
  await once(child, "spawn");
  const { pid = 0 } = child;
  // A process that ends without stopping takes its server along; only SIGKILL leaves one behind.
  const endWithUs = () => void child.kill("SIGTERM");
  process.once("exit", endWithUs);
  let isGone = false;
  const exited = once(child, "close").then(() => {
    isGone = true;
    process.off("exit", endWithUs);
    return log.trimEnd().split("\n").slice(-3).join("\n");
  });
  const stop = async () => {
    child.kill("SIGTERM");
    const cut = setTimeout(() => child.kill("SIGKILL"), stopMs);
    await exited;
    clearTimeout(cut);
  };
  let taken: number | undefined;
  await until(async () => {
    taken = log.includes("Server is ready") ? await portOf(dir, pid) : undefined;
    return isGone || taken !== undefined;
  }, readyMs);
  if (taken === undefined) {
    await stop();
    throw new Error(`nats-server did not start: ${await exited}`);
  }
  const who = access === undefined ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : "";
  const url = `nats://${who}${host}:${taken}`;
  return { url, port: taken, pid, exited, stop };
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

/** The servers prove themselves to each other as clients do. */
function clusterConfiguration(place: ClusterPlace, host: string, user: string, password: string): string {
  const { serverName, port, ports } = place;
  const who = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const routes = ports.map((one) => `"nats://${who}@${host}:${one}"`).join(", ");
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

/** Where the server listens, as it tells in a file of its own. */
async function portOf(dir: string, pid: number): Promise<number | undefined> {
  const text = await readFile(await portsFileOf(dir, pid), "utf8").catch(() => "");
  const port = /"(?:nats|tls):\/\/[^"]*:(\d+)"/.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Named after the program, whatever that is called, and the process. */
async function portsFileOf(dir: string, pid: number): Promise<string> {
  const names = await readdir(dir);
  return join(dir, names.find((name) => name.endsWith(`_${pid}.ports`)) ?? "none");
}

/** Two servers on one store would spoil it: the one that a killed run left behind is stopped. */
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
