// Parses command lines. Handles `--help` and reports errors as one sentence.

import { type ParseArgsConfig, parseArgs } from "node:util";

/** Thrown for an invalid command line. The message is a sentence without a period. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Parses the command line with `parseArgs`. `--help` prints `help` and exits. */
export function readCommandLine<Config extends ParseArgsConfig>(help: string, config: Config) {
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
    process.stdout.write(`${help.trim()}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    // Keep only the first sentence: Node adds advice on positional arguments.
    const [mistake] = error instanceof Error ? error.message.split(". ") : [String(error)];
    throw new UsageError(`${mistake}; see --help`);
  }
}

/** Returns 2 for an invalid command line or setting, otherwise 1, like `ems`. */
export function getExitCode(error: unknown): number {
  return error instanceof Error && /^(UsageError|ConfigError)$/.test(error.name) ? 2 : 1;
}
