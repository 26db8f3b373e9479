// `ems callers`: platform callers' keys, tokens and document.

import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { processNames } from "@ems/deploy/mesh";
import { ConfigError } from "@ems/kit/config";
import { parsePlatformCallers } from "@ems/kit/rpc/platform/callers";
import { tokenMinutesMaxDefault, tokenMinutesMaxMax } from "@ems/kit/rpc/platform/document";
import { readPrivateKey } from "@ems/kit/rpc/tokens/keys";
import { platformToken } from "@ems/kit/rpc/tokens/sign";
import { type Command, InvalidArgumentError } from "commander";
import { stringify } from "yaml";
import { type Cli, printResult } from "../cli.ts";
import { Failure, usage } from "../failure.ts";

const keyVariable = "EMS_CALLER_KEY";

export function addCallers(program: Command, cli: Cli): void {
  const callers = program
    .command("callers")
    .description("platform callers: services that call the product's over gRPC");
  callers
    .command("key <name>")
    .description("make a key pair: the private key goes into a file, the entry for `callers` is printed")
    .option("--out <file>", "file of the private key, which must not exist; default: <name>.key")
    .action(async (name: string, { out = `${name}.key` }: { out?: string }, command: Command) => {
      const { privateKey } = generateKeyPairSync("ed25519");
      const key = createPublicKey(privateKey).export({ format: "der", type: "spki" }).toString("base64");
      const entry = { name, keys: [key], rpcs: ["ems.catalog.v1.TopicService/*"], organizations: ["*"] };
      // The name is judged as the document's reader does.
      await checked(stringify({ callers: [entry] }), name);
      await writeFile(out, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600, flag: "wx" }).catch(
        ({ code }: NodeJS.ErrnoException) => {
          throw new Failure(code === "EEXIST" ? `${out} exists.` : `${out} cannot be written (${code}).`);
        },
      );
      printResult(cli, command, entry, () => stringify({ callers: [entry] }, { lineWidth: 0 }).trimEnd());
      cli.info(`The private key is in ${out}. Change rpcs and organizations to what ${name} may do.`);
    });
  callers
    .command("token <name>")
    .description(`make a token, signed by the private key of --key or, as its text, of ${keyVariable}`)
    .requiredOption("--audience <services>", "services that take it, joined by commas, such as catalog,experiments")
    .option("--expires <time>", "lifetime, such as 90s, 15m or 1h", lifetimeS, tokenMinutesMaxDefault * 60)
    .option("--key <file>", "file of the private key, which nobody else may read")
    .action(async (name: string, { audience, expires, key }: TokenOptions, command: Command) => {
      const audiences = audience.split(",").map((one) => one.trim());
      const unknown = audiences.filter((one) => one === "gateway" || !processNames.some((name) => name === one));
      if (unknown.length > 0) throw usage(`--audience: there is no service ${unknown.join(", ")}`);
      const token = await platformToken(name, await privateKeyOf(cli, key), audiences, expires);
      printResult(cli, command, { token, expiresInSeconds: expires }, () => token);
    });
  callers
    .command("check <file>")
    .description("say what is wrong with a document of platform callers")
    .action(async (file: string, _options: object, command: Command) => {
      const found = await checked(await textOf(file), file);
      const summary = [...found.values()].map(({ name, keys, rpcs, organizations }) => ({
        ...{ name, keys: keys.length },
        ...{ rpcs: [...rpcs].sort(), organizations },
      }));
      printResult(cli, command, summary, () =>
        summary.length === 0
          ? "No callers."
          : summary.map((one) => `${one.name}: ${one.rpcs.length} RPCs, ${one.keys} of 2 keys.`).join("\n"),
      );
    });
}

interface TokenOptions {
  readonly audience: string;
  readonly expires: number;
  readonly key?: string;
}

async function checked(text: string, source: string) {
  return parsePlatformCallers(text, processNames, source).catch((error: unknown) => {
    throw error instanceof ConfigError ? new Failure(error.faults.join("\n")) : error;
  });
}

async function privateKeyOf(cli: Cli, file: string | undefined) {
  if (file !== undefined) {
    const { mode } = await stat(file).catch(unreadable(file));
    if ((mode & 0o077) !== 0) throw new Failure(`${file} can be read by others: chmod 600 ${file}`);
  }
  const text = file === undefined ? cli.env[keyVariable] : await textOf(file);
  if (!text) throw usage(`The private key is missing: --key FILE, or ${keyVariable} with its text.`);
  const key = readPrivateKey(text.trim());
  if (key === undefined)
    throw new Failure(`${file ?? keyVariable} has no Ed25519 private key (PEM, or base64 of DER).`);
  return key;
}

function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(unreadable(file));
}

function unreadable(file: string) {
  return ({ code }: NodeJS.ErrnoException): never => {
    throw new Failure(`${file} cannot be read (${code}).`);
  };
}

const unitS = { s: 1, m: 60, h: 3_600 } as const;

function lifetimeS(text: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  const seconds = Number(number) * unitS[unit as keyof typeof unitS];
  if (seconds > 0 && seconds <= tokenMinutesMaxMax * 60) return seconds;
  throw new InvalidArgumentError(`Must be like 90s, 15m or 1h, at most ${tokenMinutesMaxMax / 60}h.`);
}
