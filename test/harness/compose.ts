// deploy/compose.yaml as an engine reads it, with the environment file of `secrets`.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { addressVariable, type ProcessName } from "@ems/deploy/mesh";
import { parse } from "yaml";

const folder = join(import.meta.dirname, "../../deploy");

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number | null>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly [key: string]: unknown;
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly [key: string]: unknown;
}

/** The environment file with generated secrets. */
export async function composeEnvironment(): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.ts"), "secrets"]);
  return parseEnv(stdout) as Record<string, string>;
}

/** The file with variables replaced; throws if a required one is missing. */
export async function readCompose(env: Readonly<Record<string, string>>, file?: string): Promise<Compose> {
  const read = async (name?: string) => filled(parse(await composeText(name), { merge: true }), env) as Compose;
  const compose = await read(file);
  const services = Object.entries(compose.services).map(async ([name, { extends: extended, ...service }]) => {
    if (extended === undefined) return [name, service];
    const { file: from = "", service: of = "" } = extended as { file?: string; service?: string };
    const base = (await read(from)).services[of];
    if (base === undefined) throw new Error(`${name} extends ${of} of ${from}, which is not there`);
    return [name, { ...service, environment: passedOn(base.environment, env) }];
  });
  return { ...compose, services: Object.fromEntries(await Promise.all(services)) };
}

/** As in an engine, a variable without a value comes from the environment file, or is omitted. */
function passedOn(environment: ComposeService["environment"] = {}, env: Readonly<Record<string, string>>) {
  const entries = Object.entries(environment).map(([name, value]) => [name, value ?? env[name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const environmentFile = "compose.environment.yaml";

/** Names of all variables that the files use, and of those passed on if set. */
export async function composeVariables() {
  const files = [undefined, environmentFile, "compose.clickhouse.yaml"];
  const text = (await Promise.all(files.map(composeText))).join("");
  const unique = (names: RegExpExecArray[]) => [...new Set(names.map(([, name = ""]) => name))].sort();
  return {
    required: unique([...text.matchAll(variable)]),
    passedOn: unique([...(await composeText(environmentFile)).matchAll(/^ {6}(\w+):$/gm)]),
  };
}

const variable = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;
const composeText = (file = "compose.yaml") => readFile(join(folder, file), "utf8");

function filled(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, env));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, env)]));
  }
  if (typeof value !== "string") return value;
  return value.replaceAll(variable, (_, name: string, kind: string | undefined, rest: string) => {
    if (env[name]) return env[name];
    if (kind === "-") return rest;
    throw new Error(`${name} is required: ${rest}`);
  });
}

/** The environment of a service as an engine passes it: text. */
export function environmentIn(compose: Compose, name: string): Record<string, string> {
  const { environment = {} } = compose.services[name] ?? {};
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)]));
}

/** Servers and processes of this machine in place of those of the compose file. */
export interface Neighbors {
  /** URL of the server as its administrator. */
  readonly postgresUrl: string;
  readonly natsPort: number;
  /** RPC ports of the processes that run so far. */
  readonly ports: Partial<Record<ProcessName, number>>;
}

const loopback = { HOST: "127.0.0.1", RPC_HOST: "127.0.0.1", ADMIN_HOST: "127.0.0.1" };
const anyPort = { PORT: "0", RPC_PORT: "0", GRPC_PORT: "0", ADMIN_PORT: "0" };

/** The environment of a service whose peers are on this machine, on free loopback ports. */
export function environmentHere(compose: Compose, name: string, { postgresUrl, natsPort, ports }: Neighbors) {
  const hosts: [string, string][] = [
    ["@postgres:5432/", `@${new URL(postgresUrl).host}/`],
    ["@nats:4222", `@127.0.0.1:${natsPort}`],
  ];
  const settings = Object.entries(environmentIn(compose, name)).map(([key, value]) => {
    return [key, hosts.reduce((text, [from, to]) => text.replace(from, to), value)];
  });
  const env: Record<string, string> = { ...Object.fromEntries(settings), ...loopback, ...anyPort };
  for (const [peer, port] of Object.entries(ports)) {
    const key = addressVariable(peer as ProcessName);
    if (Object.hasOwn(env, key)) env[key] = `127.0.0.1:${port}`;
  }
  // The administrator of this server has its own password.
  if (name === "prepare") env.DATABASE_URL = new URL("/ems", postgresUrl).href;
  return env;
}
