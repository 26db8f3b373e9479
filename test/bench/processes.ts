// Counters of processes from /proc.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Unit of CPU time in /proc. */
const tickUs = 10_000;
/** Idle processes use less than a third of one core: a mesh of nine processes without load uses a fifth. */
const idleSampleMs = 400;
const idleUsMax = 133_000;

/** Returns the CPU time of processes and of their ended children, user and system, in µs. */
export function cpuUs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = getStat(pid);
    return sum + [11, 12, 13, 14].reduce((ticks, at) => ticks + Number(fields[at] ?? 0), 0) * tickUs;
  }, 0);
}

/** Returns the ids of the process and all its descendants. */
export function getFamily(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = Number(getStat(Number(name))[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const withDescendants = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(withDescendants)];
  return withDescendants(root);
}

/** Waits until the processes are idle: work after their answers is part of their cost. */
export async function untilIdle(roots: readonly number[], patienceMs = 60_000): Promise<void> {
  const spent = () => cpuUs(roots.flatMap(getFamily));
  for (const untilMs = performance.now() + patienceMs; ; ) {
    const before = spent();
    await delay(idleSampleMs);
    if (spent() - before < idleUsMax) return;
    if (performance.now() > untilMs) throw new Error(`processes ${roots} are not idle after ${patienceMs} ms`);
  }
}

/** Returns the fields of /proc/<pid>/stat from the state on; none if there is no such process. */
function getStat(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(") ") + 2).split(" ");
  } catch {
    return [];
  }
}
