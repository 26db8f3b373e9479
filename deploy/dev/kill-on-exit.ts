import type { ChildProcess } from "node:child_process";

/** Sends the child the signal if this process exits first. Only SIGKILL of this process leaves the child running. */
export function killOnExit(child: ChildProcess, signal: NodeJS.Signals): void {
  const kill = () => void child.kill(signal);
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}
