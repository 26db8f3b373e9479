// Runs one command line.

import { CommanderError } from "commander";
import { type CliProcess, createCli } from "./cli.ts";
import { exits, Failure } from "./failure.ts";
import { createProgram } from "./program.ts";

/** Runs `ems` with the arguments, prints what failed, and returns the exit code. */
export async function execute(args: readonly string[], process: CliProcess): Promise<number> {
  const cli = createCli(process);
  try {
    // `--version` is an option of `ems run`, which a global option would hide.
    const parsed = args[0] === "--version" ? ["-V", ...args.slice(1)] : args;
    await createProgram(cli).parseAsync(parsed, { from: "user" });
    return exits.done;
  } catch (error) {
    // Commander has already printed the message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage;
    // After Ctrl-C, other errors are results of the cancellation.
    if (cli.stopped.aborted && !(error instanceof Failure)) return exits.stopped;
    const message = error instanceof Error ? error.message : String(error);
    if (message !== "") cli.info(message);
    if (cli.stopped.aborted) return exits.stopped;
    if (error instanceof Failure) return error.exit;
    // Compare by name, because importing the class would load the modules of all settings.
    return error instanceof Error && error.name === "ConfigError" ? exits.usage : exits.failed;
  }
}
