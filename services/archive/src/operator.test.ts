import { expect, test } from "vitest";
import type { Batch } from "./batches.ts";
import { type ArchiveOperator, joinOperators } from "./operator.ts";

const signal = new AbortController().signal;
const ignore = () => undefined;

function createOperator(own: Partial<ArchiveOperator>): ArchiveOperator {
  const unused = { status: async () => [], lagMs: async () => 0, run: async () => undefined };
  const verified = { batches: 0, rows: 0, differences: [] };
  return {
    ...unused,
    verify: async () => verified,
    restore: async () => undefined,
    close: async () => undefined,
    ...own,
  };
}

test("a failure in one service does not stop the others and is reported at the end", async () => {
  const moved: string[] = [];
  const failing = createOperator({ run: () => Promise.reject(new Error("no column")) });
  const working = createOperator({ run: async (_, onMoved) => onMoved({ kind: "traces" } as Batch) });
  const run = joinOperators([failing, working]).run(signal, ({ kind }) => moved.push(kind));
  await expect(run).rejects.toThrow("no column");
  expect(moved).toEqual(["traces"]);
});

test("several archives are verified together; the lag is the longest of them", async () => {
  const difference = { table: "trace" } as Awaited<ReturnType<ArchiveOperator["verify"]>>["differences"][number];
  const joined = joinOperators([
    createOperator({ lagMs: async () => 7, verify: async () => ({ batches: 2, rows: 20, differences: [] }) }),
    createOperator({ lagMs: async () => 3, verify: async () => ({ batches: 1, rows: 5, differences: [difference] }) }),
  ]);
  expect(await joined.verify(signal)).toEqual({ batches: 3, rows: 25, differences: [difference] });
  expect(await joined.lagMs()).toBe(7);
  await joined.restore({}, signal, ignore);
});
