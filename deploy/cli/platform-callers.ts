// Creates keys and tokens of platform callers and checks their document, for `ems callers`.

import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { processNames } from "@ems/deploy/mesh";
import { ConfigError } from "@ems/kit/config";
import { parsePlatformCallers } from "@ems/kit/rpc/platform/callers";
import { readPrivateKey } from "@ems/kit/rpc/tokens/keys";
import { platformToken } from "@ems/kit/rpc/tokens/sign";
import type { Command } from "commander";
import { stringify } from "yaml";
import { type Cli, printResult } from "./cli.ts";
import { Failure, usage } from "./failure.ts";

export interface TokenOptions {
  readonly audience: string;
  readonly expires: number;
  /** File of the private key. If absent, the variable `keyVariable` contains the key itself. */
  readonly key?: string;
  readonly keyVariable: string;
}

export async function makeKey(cli: Cli, command: Command, name: string, out: string): Promise<void> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = createPublicKey(privateKey).export({ format: "der", type: "spki" }).toString("base64");
  const entry = { name, keys: [key], rpcs: ["ems.catalog.v1.TopicService/*"], organizations: ["*"] };
  // Validate the name with the document's parser.
  await checked(stringify({ callers: [entry] }), name);
  await writeFile(out, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600, flag: "wx" }).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new Failure(code === "EEXIST" ? `${out} exists.` : `${out} cannot be written (${code}).`);
    },
  );
  printResult(cli, command, entry, () => stringify({ callers: [entry] }, { lineWidth: 0 }).trimEnd());
  cli.info(`The private key is in ${out}. Change rpcs and organizations to what ${name} may do.`);
}

export async function makeToken(
  cli: Cli,
  command: Command,
  name: string,
  { audience, expires, key, keyVariable }: TokenOptions,
): Promise<void> {
  const audiences = audience.split(",").map((service) => service.trim());
  const unknown = audiences.filter(
    (service) => service === "gateway" || !processNames.some((name) => name === service),
  );
  if (unknown.length > 0) throw usage(`--audience: there is no service ${unknown.join(", ")}`);
  const token = await platformToken(name, await loadPrivateKey(cli, key, keyVariable), audiences, expires);
  printResult(cli, command, { token, expiresInSeconds: expires }, () => token);
}

export async function check(cli: Cli, command: Command, file: string): Promise<void> {
  const found = await checked(await readText(file), file);
  const summary = [...found.values()].map(({ name, keys, rpcs, organizations }) => ({
    name,
    keys: keys.length,
    rpcs: [...rpcs].sort(),
    organizations,
  }));
  printResult(cli, command, summary, () =>
    summary.length === 0
      ? "No callers."
      : summary.map((caller) => `${caller.name}: ${caller.rpcs.length} RPCs, ${caller.keys} of 2 keys.`).join("\n"),
  );
}

async function checked(text: string, source: string) {
  return parsePlatformCallers(text, processNames, source).catch((error: unknown) => {
    throw error instanceof ConfigError ? new Failure(error.faults.join("\n")) : error;
  });
}

async function loadPrivateKey(cli: Cli, file: string | undefined, keyVariable: string) {
  if (file !== undefined) {
    const { mode } = await stat(file).catch(unreadable(file));
    if ((mode & 0o077) !== 0) throw new Failure(`${file} is readable by other users: chmod 600 ${file}`);
  }
  const text = file === undefined ? cli.env[keyVariable] : await readText(file);
  if (!text) throw usage(`The private key is missing: --key FILE, or ${keyVariable} with its text.`);
  const key = readPrivateKey(text.trim());
  if (key === undefined)
    throw new Failure(`${file ?? keyVariable} has no Ed25519 private key (PEM, or base64 of DER).`);
  return key;
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(unreadable(file));
}

function unreadable(file: string) {
  return ({ code }: NodeJS.ErrnoException): never => {
    throw new Failure(`${file} cannot be read (${code}).`);
  };
}
