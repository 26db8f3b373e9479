// The command lines of programs: `--help`, and mistakes in a sentence.

import { type ParseArgsConfig, parseArgs } from "node:util";

/** An invalid command line; the message is a sentence without its full stop. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** As parseArgs, but `--help` prints `help` and ends the process. */
export function readCommandLine<Config extends ParseArgsConfig>(help: string, config: Config) {
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
    process.stdout.write(`${help.trim()}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's advice on positional arguments is no help here.
    const [mistake] = error instanceof Error ? error.message.split(". ") : [String(error)];
    throw new UsageError(`${mistake}; --help shows what there is`);
  }
}

/** 2 for an invalid command line or setting, else 1, as `ems` has it. */
export function exitCodeOf(error: unknown): number {
  return error instanceof Error && /^(UsageError|ConfigError)$/.test(error.name) ? 2 : 1;
}
