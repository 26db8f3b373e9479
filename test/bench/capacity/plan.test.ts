import { expect, test } from "vitest";
import { computeNeed, computeStepCost, computeTraceCost, spenders, type UnitCost, type Units } from "./plan.ts";

const cost = (us: number, bytes = us): UnitCost => ({
  cpuUs: { ...Object.fromEntries(spenders.map((name) => [name, 0])), gateway: us, PostgreSQL: 2 * us } as never,
  diskBytes: bytes,
  walBytes: 2 * bytes,
  bodyBytes: 3 * bytes,
});
/** A trace costs 10, and each step 5. */
const units: Units = {
  short: { steps: 3, cost: cost(25) },
  long: { steps: 12, cost: cost(70) },
  test: cost(100),
  event: cost(1_000),
  read: cost(10_000),
  rest: cost(0).cpuUs,
};
const nothing = { tests: 0, events: 0, reads: 0 };

test("a trace costs its own part and one for each step, whatever was measured", () => {
  expect(computeStepCost(units)).toEqual(cost(5));
  expect(computeTraceCost(units, 0)).toEqual(cost(10));
  expect(computeTraceCost(units, 1)).toEqual(cost(15));
  expect(computeTraceCost(units, 12)).toEqual(cost(70));
});

test("what comes with a trace is added by its share", () => {
  const { cores, eventsPerSecond } = computeNeed(
    units,
    { steps: 3, tests: 0.1, events: 0.01, reads: 0.001 },
    1_000_000,
  );
  expect(cores.gateway).toBeCloseTo(25 + 10 + 10 + 10);
  expect(eventsPerSecond).toBe(10_000);
});

test("there are two processes of each, and as many as keep below the utilisation", () => {
  const few = computeNeed(units, { ...nothing, steps: 3 }, 1);
  expect([few.processes.gateway, few.processes.reporting, few.processes.PostgreSQL]).toEqual([2, 2, undefined]);
  // 4 cores at a utilization of 0.6.
  expect(computeNeed(units, { ...nothing, steps: 3 }, 160_000).processes.gateway).toBe(7);
});

test("bytes are of a second and of a day", () => {
  const need = computeNeed(units, { ...nothing, steps: 3 }, 1_000_000);
  expect([need.walMbPerSecond, need.bodyMbPerSecond, need.diskGbPerDay]).toEqual([50, 75, 2_160]);
  expect(need.postgresCores).toBeCloseTo(50 / 0.6);
});
