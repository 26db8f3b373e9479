import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Cli } from "./cli.ts";
import { Failure } from "./failure.ts";

const root = resolve(import.meta.dirname, "../..");

/** Runs a program in `deploy/dev`, else the image's command with that name. Shares stdio and passes on a failure. */
export async function runProgram(cli: Cli, name: string, args: readonly string[]): Promise<void> {
  const inTree = resolve(root, `deploy/dev/${name}.ts`);
  const image = resolve(root, "deploy/main.ts");
  const program = existsSync(inTree) ? [inTree] : [existsSync(image) ? image : (process.argv[1] ?? ""), name];
  const child = spawn(process.execPath, [...program, ...args], { cwd: root, stdio: "inherit" });
  const stop = () => child.kill("SIGTERM");
  cli.stopped.addEventListener("abort", stop);
  const [code] = await once(child, "exit");
  cli.stopped.removeEventListener("abort", stop);
  // The program has already printed the reason.
  if (code !== 0) throw new Failure("", code ?? undefined);
}
