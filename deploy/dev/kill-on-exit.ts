import type { ChildProcess } from "node:child_process";

/** Sends the signal to the child when this process exits. The child keeps running only if this process gets SIGKILL. */
export function killOnExit(child: ChildProcess, signal: NodeJS.Signals): void {
  const kill = () => void child.kill(signal);
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}
