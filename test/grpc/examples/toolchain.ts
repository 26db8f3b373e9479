import { spawnSync } from "node:child_process";

/** Whether the machine has the command. */
export function isInstalled(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}
