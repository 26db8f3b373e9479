// What the system knows of a process. A pid alone names nobody for long: pids are used again, after a reboot at once.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { environment } from "./postgres/account.ts";

const run = promisify(execFile);

/** When the process started, in words that tell it from any other of the same pid; null when it does not live. */
export async function startTimeOf(pid: number): Promise<string | null> {
  if (process.platform === "linux") return startTimeOnLinux(pid);
  const [state = "", ...started] = (await ps(pid, "stat", "lstart")).split(/\s+/);
  return isDead(state) ? null : started.join(" ");
}

/** The command line, its words set apart by blanks; empty when there is no such process. */
export async function commandLineOf(pid: number): Promise<string> {
  if (process.platform !== "linux") return ps(pid, "command");
  return (await procFile(pid, "cmdline")).replaceAll("\0", " ").trim();
}

async function startTimeOnLinux(pid: number): Promise<string | null> {
  const stat = await procFile(pid, "stat");
  // Fields are counted from behind the program's name, which stands in brackets and may hold anything, and is field 2.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", ticks] = [fields[3 - 3], fields[22 - 3]];
  if (isDead(state) || ticks === undefined) return null;
  // The ticks count from the boot, and a boot repeats itself closely.
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
  return `${ticks} ${boot.trim()}`;
}

// A zombie has ended; only its parent has not looked yet.
function isDead(state: string): boolean {
  return state === "" || state.startsWith("Z") || state.startsWith("X");
}

async function procFile(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
}

// Columns go one by one: elsewhere than on Linux, what follows an equals sign is a heading to the end of the argument.
async function ps(pid: number, ...columns: string[]): Promise<string> {
  const args = ["-ww", "-p", String(pid), ...columns.flatMap((column) => ["-o", `${column}=`])];
  // A start time is worded by locale and time zone; the exit code 1 says that there is no such process.
  const { stdout } = await run("ps", args, { env: environment }).catch(() => ({ stdout: "" }));
  return stdout.trim();
}
