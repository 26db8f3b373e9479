// A control group of the kernel that limits a process's memory, if this machine permits one.

import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ControlGroup {
  /** File to which a process writes its id to join the group. */
  readonly procs: string;
  /** Peak memory charged to the group, including page cache. */
  peakBytes(): number;
  remove(): void;
}

/** Uses version 2, else version 1; returns undefined if this process may write neither. */
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
