import { expect, test } from "vitest";
import type { Batch } from "./batches.ts";
import { type ArchiveOperator, joinOperators } from "./operator.ts";

const signal = new AbortController().signal;
const ignore = () => undefined;

function operatorOf(own: Partial<ArchiveOperator>): ArchiveOperator {
  const others = { status: async () => [], lagMs: async () => 0, run: async () => undefined };
  const verified = { batches: 0, rows: 0, differences: [] };
  return {
    ...others,
    verify: async () => verified,
    restore: async () => undefined,
    close: async () => undefined,
    ...own,
  };
}

test("what cannot be archived in one service holds up no other, and is told in the end", async () => {
  const moved: string[] = [];
  const failing = operatorOf({ run: () => Promise.reject(new Error("no column")) });
  const working = operatorOf({ run: async (_, onMoved) => onMoved({ kind: "traces" } as Batch) });
  const run = joinOperators([failing, working]).run(signal, ({ kind }) => moved.push(kind));
  await expect(run).rejects.toThrow("no column");
  expect(moved).toEqual(["traces"]);
});

test("several archives are verified as one, and are as late as the latest", async () => {
  const difference = { table: "trace" } as Awaited<ReturnType<ArchiveOperator["verify"]>>["differences"][number];
  const joined = joinOperators([
    operatorOf({ lagMs: async () => 7, verify: async () => ({ batches: 2, rows: 20, differences: [] }) }),
    operatorOf({ lagMs: async () => 3, verify: async () => ({ batches: 1, rows: 5, differences: [difference] }) }),
  ]);
  expect(await joined.verify(signal)).toEqual({ batches: 3, rows: 25, differences: [difference] });
  expect(await joined.lagMs()).toBe(7);
  await joined.restore({}, signal, ignore);
});
