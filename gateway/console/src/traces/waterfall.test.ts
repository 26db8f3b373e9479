import { expect, test } from "vitest";
import type { Step } from "./trace-requests.ts";
import { buildWaterfall } from "./waterfall.ts";

const step = (id: string, parentId?: string, second = 0): Step => ({
  id,
  type: "tool",
  status: "success",
  traceId: "t",
  timestamp: new Date(Date.UTC(2026, 0, 1, 8, 0, second)).toISOString(),
  durationMs: 500,
  ...(parentId !== undefined && { parentId }),
});

const shape = (steps: Step[]) =>
  buildWaterfall(steps).rows.map(({ step: { id }, depth }) => `${"-".repeat(depth)}${id}`);

test("steps follow their parents, in order", () => {
  expect(shape([step("a"), step("b", "a"), step("c"), step("d", "b"), step("e", "a")])).toEqual([
    "a",
    "-b",
    "--d",
    "-e",
    "c",
  ]);
});

test("a step whose parent is missing, itself or its own child is not lost", () => {
  expect(shape([step("a", "gone"), step("b", "b")])).toEqual(["a", "b"]);
  expect(shape([step("a", "b"), step("b", "a")]).length).toBe(2);
});

test("bars start relative to the trace, and the last bar ends it", () => {
  const { rows, totalMs } = buildWaterfall([step("a", undefined, 1), step("b", "a", 3)]);
  expect(rows.map(({ startMs }) => startMs)).toEqual([0, 2_000]);
  expect(totalMs).toBe(2_500);
});

test("a chain of 10,000 steps does not overflow the stack", () => {
  const steps = Array.from({ length: 10_000 }, (_, index) =>
    step(String(index), index === 0 ? undefined : String(index - 1)),
  );
  expect(buildWaterfall(steps).rows.at(-1)?.depth).toBe(9_999);
});

test("nothing", () => {
  expect(buildWaterfall([])).toEqual({ rows: [], totalMs: 1 });
});
