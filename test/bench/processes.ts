// The kernel's counters of processes, from /proc.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** /proc counts CPU time in these. */
const tickUs = 10_000;
/** A process tree is idle when it takes less than a third of one core: a mesh of nine processes that does nothing takes a fifth. */
const idleSampleMs = 400;
const idleUsMax = 133_000;

/** CPU time of processes, user and system, and of their children that have ended, in µs. */
export function cpuUs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = getStat(pid);
    return sum + [11, 12, 13, 14].reduce((ticks, at) => ticks + Number(fields[at] ?? 0), 0) * tickUs;
  }, 0);
}

/** The process and all that descend from it. */
export function getFamily(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = Number(getStat(Number(name))[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const withDescendants = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(withDescendants)];
  return withDescendants(root);
}

/** Waits until the processes have little left to do: what they do after their answers is theirs, too. */
export async function untilIdle(roots: readonly number[], patienceMs = 60_000): Promise<void> {
  const spent = () => cpuUs(roots.flatMap(getFamily));
  for (const untilMs = performance.now() + patienceMs; ; ) {
    const before = spent();
    await delay(idleSampleMs);
    if (spent() - before < idleUsMax) return;
    if (performance.now() > untilMs) throw new Error(`processes ${roots} are not idle after ${patienceMs} ms`);
  }
}

/** Fields of /proc/<pid>/stat from the state on; none when there is no such process. */
function getStat(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(") ") + 2).split(" ");
  } catch {
    return [];
  }
}
