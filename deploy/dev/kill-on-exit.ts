import type { ChildProcess } from "node:child_process";

/** Sends the child the signal when this process exits before it. Only SIGKILL of this process leaves the child behind. */
export function killOnExit(child: ChildProcess, signal: NodeJS.Signals): void {
  const kill = () => void child.kill(signal);
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}
