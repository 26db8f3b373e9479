// Identifies a process by pid and start time, because pids are reused, after a reboot even immediately.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { environment } from "./postgres/account.ts";

const run = promisify(execFile);

/** Reads the start time of a living process, which is unique among processes with this pid; null if none is alive. */
export async function readStartTime(pid: number): Promise<string | null> {
  if (process.platform === "linux") return startTimeOnLinux(pid);
  const [state = "", ...started] = (await ps(pid, "stat", "lstart")).split(/\s+/);
  return isDead(state) ? null : started.join(" ");
}

/** Reads the command line, with arguments separated by blanks; empty if there is no such process. */
export async function readCommandLineArguments(pid: number): Promise<string> {
  if (process.platform !== "linux") return ps(pid, "command");
  return (await procFile(pid, "cmdline")).replaceAll("\0", " ").trim();
}

async function startTimeOnLinux(pid: number): Promise<string | null> {
  const stat = await procFile(pid, "stat");
  // Field 2 is the program's name in parentheses, which may contain blanks, so count the fields after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", ticks] = [fields[3 - 3], fields[22 - 3]];
  if (isDead(state) || ticks === undefined) return null;
  // The start time counts from the boot. Add the boot's id, because after another boot the value may be the same.
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
  return `${ticks} ${boot.trim()}`;
}

// A zombie has ended and awaits its parent's wait().
function isDead(state: string): boolean {
  return state === "" || state.startsWith("Z") || state.startsWith("X");
}

async function procFile(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
}

// Pass one `-o` per column, because BSD treats everything after `=` in an argument as the heading.
async function ps(pid: number, ...columns: string[]): Promise<string> {
  const args = ["-ww", "-p", String(pid), ...columns.flatMap((column) => ["-o", `${column}=`])];
  // Fix the environment: locale and time zone change the start time's format. Exit code 1 means no such process.
  const { stdout } = await run("ps", args, { env: environment }).catch(() => ({ stdout: "" }));
  return stdout.trim();
}
