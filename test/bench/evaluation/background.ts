// Processes that run next to the measured one.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Starts a script of this folder, which runs until the stack ends; returns its first line. */
export async function startScript(script: string, stack: AsyncDisposableStack): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], { stdio: ["ignore", "pipe", "inherit"] });
  stack.defer(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return String(line).trim();
}
