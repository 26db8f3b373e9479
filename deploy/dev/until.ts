import { setTimeout as sleep } from "node:timers/promises";

/** Looks again every few milliseconds until the condition holds; false when the limit is over before that. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  for (const deadline = performance.now() + limitMs; !(await condition()); await sleep(10)) {
    if (performance.now() > deadline) return false;
  }
  return true;
}
