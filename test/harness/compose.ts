// deploy/compose.yaml as an engine reads it, with the environment file that `secrets` writes.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
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

/** The environment file with every secret made. */
export async function composeEnvironment(): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.ts"), "secrets"]);
  return parseEnv(stdout) as Record<string, string>;
}

/** The file with its variables filled in; fails when one that is required is missing. */
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

/** As an engine does it: a variable without a value is the environment file's, or is left out. */
function passedOn(environment: ComposeService["environment"] = {}, env: Readonly<Record<string, string>>) {
  const entries = Object.entries(environment).map(([name, value]) => [name, value ?? env[name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const environmentFile = "compose.environment.yaml";

/** The names of all variables that the files ask for, and of those that are passed on where they are set. */
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

/** The environment of a service as an engine hands it over: text. */
export function environmentIn(compose: Compose, name: string): Record<string, string> {
  const { environment = {} } = compose.services[name] ?? {};
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)]));
}
