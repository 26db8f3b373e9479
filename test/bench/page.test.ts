import { expect, test } from "vitest";
import { type Figure, table } from "./page.ts";
import { roundsInTurn } from "./part.ts";

const versions = [
  { root: "/now", commit: "1111111" },
  { root: "/other", commit: "2222222" },
];
const read: Figure = { what: "read", unit: "µs", value: 200, baseline: { what: "(c)", value: 150 }, aim: "≥ 0.95" };
const rate: Figure = { what: "rate", unit: "/s", value: 30, baseline: { what: "(c)", value: 60 } };

test("a ratio is above 1 where the product is better, whether less or more is better", () => {
  const lines = table("Title", "Note.", [read, rate], versions.slice(0, 1)).split("\n");
  expect(lines).toEqual([
    "## Title",
    "",
    "Note.",
    "",
    "|  | 1111111 | baseline | ratio | aim |",
    "| --- | --: | --: | --: | --: |",
    "| read | 200 µs | (c) 150 µs | 0.75 | ≥ 0.95 |",
    "| rate | 30.0/s | (c) 60.0/s | 0.50 |  |",
    "",
  ]);
});

test("a commit that is compared has its own values and ratios", () => {
  const figures = [
    { ...read, compared: { ...read, value: 300 } },
    { ...rate, compared: { ...rate, value: 15 } },
  ];
  const lines = table("Title", "Note.", figures, versions).split("\n");
  expect(lines.slice(4, 8)).toEqual([
    "|  | 1111111 | 2222222 | gain | baseline | ratio | ratio of 2222222 | aim |",
    "| --- | --: | --: | --: | --: | --: | --: | --: |",
    "| read | 200 µs | 300 µs | 1.50 | (c) 150 µs | 0.75 | 0.50 | ≥ 0.95 |",
    "| rate | 30.0/s | 15.0/s | 2.00 | (c) 60.0/s | 0.50 | 0.25 |  |",
  ]);
});

test("products are measured in turn, the last first in every other round, and medians count", async () => {
  const order: string[] = [];
  const product = (name: string, values: readonly number[]) => async () => {
    order.push(name);
    const round = order.filter((other) => other === name).length - 1;
    return [{ what: "read", unit: "ms" as const, value: values[round] ?? 0, baseline: { what: "SQL", value: round } }];
  };
  const figures = await roundsInTurn([product("now", [5, 90, 6]), product("other", [7, 1, 8])], 3);
  expect(order).toEqual(["now", "other", "other", "now", "now", "other"]);
  expect(figures).toEqual([
    {
      what: "read",
      unit: "ms",
      value: 6,
      baseline: { what: "SQL", value: 1 },
      compared: { what: "read", unit: "ms", value: 7, baseline: { what: "SQL", value: 1 } },
    },
  ]);
});
