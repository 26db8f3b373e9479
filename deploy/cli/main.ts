import { execute } from "./execute.ts";
import { exits } from "./failure.ts";

const cancellation = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The first signal cancels the command. A second signal ends the process immediately.
  process.once(signal, () => cancellation.abort());
}
// EPIPE is not a failure: a reader such as `head` closes the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : exits.failed));
// Ignore errors of stderr: a command continues if stderr is closed.
process.stderr.on("error", () => undefined);
// The launcher has changed the working directory. Change back, because paths are relative to the caller's folder.
if (process.env.EMS_CWD) process.chdir(process.env.EMS_CWD);

const { env, stdin, stdout, stderr } = process;
process.exitCode = await execute(process.argv.slice(2), { env, stopped: cancellation.signal, stdin, stdout, stderr });
