import { setTimeout as sleep } from "node:timers/promises";

/** Polls until the condition is true. Returns false if it is still false after `limitMs`. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  for (const deadline = performance.now() + limitMs; !(await condition()); await sleep(10)) {
    if (performance.now() > deadline) return false;
  }
  return true;
}
