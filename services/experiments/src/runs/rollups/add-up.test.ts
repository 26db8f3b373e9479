import { expect, test } from "vitest";
import { addUp } from "./add-up.ts";
import type { Rollup } from "./rollups.ts";

interface Result {
  readonly applicationId: string;
  readonly orgId: string;
  readonly task: string;
  readonly at: Date;
  readonly score: bigint | null;
}

const rollup: Rollup<Result> = {
  table: "sums",
  hasOrganisation: true,
  key: [["task", "text", ({ task }) => task]],
  sums: [["tests", () => 1n]],
  bounds: [{ name: "score", of: ({ score }) => score, sql: "r.score" }],
  latest: ["last_at", ({ at }) => at],
};
const result = (day: number, score: bigint | null = null, task = "a"): Result => ({
  applicationId: "app",
  orgId: "org",
  task,
  score,
  at: new Date(Date.UTC(2026, 0, day)),
});
const unchanged: [null, null] = [null, null];

test("the latest time is the greatest of the added results, in any order", () => {
  for (const days of [
    [1, 2, 3],
    [3, 2, 1],
    [2, 3, 1],
  ]) {
    const [sum] = addUp(
      rollup,
      days.map((day) => ({ after: result(day) })),
    );
    expect([sum?.sums, sum?.latest]).toEqual([[3n], new Date(Date.UTC(2026, 0, 3))]);
  }
});

test("a removed result lowers the sum and sets no latest time", () => {
  expect(addUp(rollup, [{ before: result(5, 7n) }])).toMatchObject([
    { sums: [-1n], came: [unchanged], left: [[7n, 7n]], latest: undefined },
  ]);
});

test("bounds are the least and the greatest value; a result without a value changes neither", () => {
  const changes = [4n, 2n, null, 9n].map((score, at) => ({ after: result(at + 1, score) }));
  expect(addUp(rollup, changes)).toMatchObject([{ sums: [4n], came: [[2n, 9n]], left: [unchanged] }]);
});

test("an unchanged result has no delta, a changed value has one", () => {
  expect(addUp(rollup, [{ before: result(1, 3n), after: result(1, 3n) }])).toEqual([]);
  expect(addUp(rollup, [{ before: result(1, 3n), after: result(1, 4n) }])).toMatchObject([
    { sums: [0n], came: [[4n, 4n]], left: [[3n, 3n]] },
  ]);
});

test("deltas are in the order of their keys", () => {
  const changes = ["b", "a", "c"].map((task) => ({ after: result(1, null, task) }));
  expect(addUp(rollup, changes).map(({ key }) => key)).toEqual([["a"], ["b"], ["c"]]);
});
