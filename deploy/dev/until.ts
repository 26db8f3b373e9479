import { setTimeout as sleep } from "node:timers/promises";

/** Polls the condition. Returns false if it does not become true within the limit. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  for (const deadline = performance.now() + limitMs; !(await condition()); await sleep(10)) {
    if (performance.now() > deadline) return false;
  }
  return true;
}
