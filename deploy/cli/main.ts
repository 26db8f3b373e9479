import { CommanderError } from "commander";
import { harmlessCli } from "./cli.ts";
import { exits, Failure } from "./failure.ts";
import { programOf } from "./program.ts";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The first one ends what is under way; whoever insists is obeyed at once.
  process.once(signal, () => stopping.abort());
}
// Whoever reads along, such as `head`, may have seen enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : exits.failed));

// Without anybody who reads its talk, a command still does what it is for.
process.stderr.on("error", () => undefined);

const cli = harmlessCli({
  env: process.env,
  stopped: stopping.signal,
  out: (text) => process.stdout.write(`${text}\n`),
  say: (sentence) => process.stderr.write(`${sentence}\n`),
});
// Behind the launcher, paths mean the folder that they were typed in.
if (process.env.EMS_CWD) process.chdir(process.env.EMS_CWD);

try {
  await programOf(cli).parseAsync();
} catch (error) {
  process.exitCode = exitOf(error);
}

function exitOf(error: unknown): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage;
  if (stopping.signal.aborted) return exits.stopped;
  const message = error instanceof Error ? error.message : String(error);
  if (message !== "") cli.say(message);
  return error instanceof Failure ? error.exit : exits.failed;
}
