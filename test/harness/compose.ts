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
  readonly environment?: Readonly<Record<string, string | number>>;
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
  return filled(parse(await composeText(file), { merge: true }), env) as Compose;
}

/** The names of all variables that the file asks for. */
export async function composeVariables(): Promise<string[]> {
  const names = [...(await composeText()).matchAll(variable)].map(([, name = ""]) => name);
  return [...new Set(names)].sort();
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
