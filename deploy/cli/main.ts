import { CommanderError } from "commander";
import { withEscapedOutput } from "./cli.ts";
import { exits, Failure } from "./failure.ts";
import { painted } from "./paint.ts";
import { createProgram } from "./program.ts";

const cancellation = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The first signal cancels the command. A second signal ends the process immediately.
  process.once(signal, () => cancellation.abort());
}
// EPIPE is not a failure: a reader such as `head` closes the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : exits.failed));
// Ignore errors of stderr: a command continues if stderr is closed.
process.stderr.on("error", () => undefined);

const cli = withEscapedOutput({
  env: process.env,
  stopped: cancellation.signal,
  out: (text) => process.stdout.write(`${painted(text, process.stdout)}\n`),
  info: (sentence) => process.stderr.write(`${painted(sentence, process.stderr)}\n`),
});
// The launcher has changed the working directory. Change back, because paths are relative to the caller's folder.
if (process.env.EMS_CWD) process.chdir(process.env.EMS_CWD);

try {
  await createProgram(cli).parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}

function reportError(error: unknown): number {
  // Commander has already printed the message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage;
  if (cancellation.signal.aborted) return exits.stopped;
  const message = error instanceof Error ? error.message : String(error);
  if (message !== "") cli.info(message);
  if (error instanceof Failure) return error.exit;
  // Compare by name, because importing the class would load the modules of all settings.
  return error instanceof Error && error.name === "ConfigError" ? exits.usage : exits.failed;
}
