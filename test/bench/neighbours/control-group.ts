// A control group of the kernel's that holds a process to an amount of memory, where this machine lets us make one.

import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ControlGroup {
  /** A process joins by writing its id here. */
  readonly procs: string;
  /** The most memory that was charged to it, page cache included. */
  peakBytes(): number;
  remove(): void;
}

/** By version 2, else by version 1; undefined where neither is ours to write. */
export function makeControlGroup(limitBytes: number): ControlGroup | undefined {
  const lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
  const own = (controllers: string) =>
    lines.map((line) => line.split(":")).find(([, name]) => name === controllers)?.[2] ?? "/";
  const v2 = { folder: join("/sys/fs/cgroup", own("")), limit: "memory.max", peak: "memory.peak" };
  const v1 = {
    folder: join("/sys/fs/cgroup/memory", own("memory")),
    limit: "memory.limit_in_bytes",
    peak: "memory.max_usage_in_bytes",
  };
  return make(v2, limitBytes) ?? make(v1, limitBytes);
}

interface Place {
  readonly folder: string;
  readonly limit: string;
  readonly peak: string;
}

function make({ folder, limit, peak }: Place, limitBytes: number): ControlGroup | undefined {
  const group = join(folder, `ems-bench-${process.pid}`);
  try {
    mkdirSync(group);
  } catch {
    return undefined;
  }
  try {
    writeFileSync(join(group, limit), String(limitBytes), { flag: "r+" });
  } catch {
    rmdirSync(group);
    return undefined;
  }
  return {
    procs: join(group, "cgroup.procs"),
    peakBytes: () => Number(readFileSync(join(group, peak), "utf8")),
    remove: () => rmdirSync(group),
  };
}
