import { expect, test } from "vitest";
import { isClear, listTopicChanges } from "./changes.ts";

const row = (id: string, rate: number, low: number, high: number) => ({
  topicId: { id, name: `Topic ${id}` },
  avg_passed: rate,
  interval_passed: { low, high, n: 70 },
});

// Example (a) in Newcombe's paper of 1998: 56 of 70 and 48 of 80 differ by 0.2, with the interval 0.0524 to 0.3339.
test("the interval of a difference is Newcombe's interval", () => {
  const [change] = listTopicChanges([row("a", 0.8, 0.692, 0.877)], [row("a", 0.6, 0.4904, 0.7004)]);
  expect(change).toMatchObject({ id: "a", name: "Topic a", before: 0.6, now: 0.8 });
  expect(change?.low).toBeCloseTo(0.0524, 3);
  expect(change?.high).toBeCloseTo(0.3339, 3);
});

test("significant changes come before larger insignificant ones", () => {
  const now = [
    row("wide", 0.2, 0.01, 0.7),
    row("clear", 0.5, 0.45, 0.55),
    row("same", 0.9, 0.8, 0.95),
    row("new", 0, 0, 0.1),
  ];
  const before = [row("wide", 0.8, 0.3, 0.99), row("clear", 0.7, 0.65, 0.75), row("same", 0.9, 0.8, 0.95)];
  const changes = listTopicChanges(now, before);
  expect(changes.map(({ id }) => id)).toEqual(["clear", "wide"]);
  expect(changes.map(isClear)).toEqual([true, false]);
});

test("a topic without results in one of the weeks is omitted", () => {
  expect(listTopicChanges([{ ...row("a", 0.5, 0.4, 0.6), avg_passed: null }], [row("a", 0.8, 0.7, 0.9)])).toEqual([]);
});
