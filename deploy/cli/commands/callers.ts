// `ems callers`: keys and tokens of platform callers, and the document that lists them.

import { tokenMinutesMaxDefault, tokenMinutesMaxMax } from "@ems/kit/rpc/platform/token-minutes";
import { type Command, InvalidArgumentError } from "commander";
import type { Cli } from "../cli.ts";
import type { TokenOptions } from "../platform-callers.ts";

const keyVariable = "EMS_CALLER_KEY";

export function addCallers(program: Command, cli: Cli): void {
  const callers = program
    .command("callers")
    .description("platform callers: services that call the product's over gRPC");
  callers
    .command("key <name>")
    .description("make a key pair: the private key goes into a file, the entry for `callers` is printed")
    .option("--out <file>", "file of the private key, which must not exist; default: <name>.key")
    .action(async (name: string, { out = `${name}.key` }: { out?: string }, command: Command) =>
      (await actions()).makeKey(cli, command, name, out),
    );
  callers
    .command("token <name>")
    .description(`make a token, signed by the private key of --key or, as its text, of ${keyVariable}`)
    .requiredOption("--audience <services>", "services that take it, joined by commas, such as catalog,experiments")
    .option("--expires <time>", "lifetime, such as 90s, 15m or 1h", lifetimeS, tokenMinutesMaxDefault * 60)
    .option("--key <file>", "file of the private key, readable by its owner only")
    .action(async (name: string, options: Omit<TokenOptions, "keyVariable">, command: Command) =>
      (await actions()).makeToken(cli, command, name, { ...options, keyVariable }),
    );
  callers
    .command("check <file>")
    .description("say what is wrong with a document of platform callers")
    .action(async (file: string, _options: object, command: Command) => (await actions()).check(cli, command, file));
}

/** Imported lazily, because the module loads the document's parser. */
const actions = () => import("../platform-callers.ts");

const unitS = { s: 1, m: 60, h: 3_600 } as const;

function lifetimeS(text: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  const seconds = Number(number) * unitS[unit as keyof typeof unitS];
  if (seconds > 0 && seconds <= tokenMinutesMaxMax * 60) return seconds;
  throw new InvalidArgumentError(`Must be like 90s, 15m or 1h, at most ${tokenMinutesMaxMax / 60}h.`);
}
