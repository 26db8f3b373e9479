import { spawnSync } from "node:child_process";

/** True if the machine has the command; if not, prints that its tests are skipped. */
export function isInstalled(command: string, ...args: string[]): boolean {
  const has = spawnSync(command, args).status === 0;
  if (!has) console.warn(`There is no ${command}: its tests are skipped.`);
  return has;
}
