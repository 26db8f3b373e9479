import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Cli } from "./cli.ts";
import { Failure } from "./failure.ts";

const root = resolve(import.meta.dirname, "../..");

/** Runs one of `deploy/`'s own programs, with this one's input and output; fails as it does. */
export async function runProgram(cli: Cli, file: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [resolve(root, "deploy", file), ...args], { cwd: root, stdio: "inherit" });
  const stop = () => child.kill("SIGTERM");
  cli.stopped.addEventListener("abort", stop);
  const [code] = await once(child, "exit");
  cli.stopped.removeEventListener("abort", stop);
  // The program has printed the reason.
  if (code !== 0) throw new Failure("", code ?? undefined);
}
