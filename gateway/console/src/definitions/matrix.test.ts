import { expect, test } from "vitest";
import { findReach, moved } from "./matrix.ts";

const size = { rows: 3, columns: 4 };

test.each([
  ["ArrowDown", { row: 1, column: 1 }, { row: 2, column: 1 }],
  ["ArrowUp", { row: 1, column: 1 }, { row: 0, column: 1 }],
  ["ArrowLeft", { row: 1, column: 1 }, { row: 1, column: 0 }],
  ["ArrowRight", { row: 1, column: 1 }, { row: 1, column: 2 }],
  ["ArrowRight", { row: 1, column: 3 }, { row: 1, column: 3 }],
  ["ArrowUp", { row: 0, column: 1 }, { row: 0, column: 1 }],
  ["Home", { row: 1, column: 2 }, { row: 1, column: 0 }],
  ["End", { row: 1, column: 2 }, { row: 1, column: 3 }],
] as const)("%s moves from %j to %j", (key, from, to) => expect(moved(key, from, size)).toEqual(to));

test("Ctrl+Home and Ctrl+End move to the corners; other keys stay with the browser", () => {
  expect(moved("Home", { row: 2, column: 2 }, size, true)).toEqual({ row: 0, column: 0 });
  expect(moved("End", { row: 0, column: 0 }, size, true)).toEqual({ row: 2, column: 3 });
  expect(moved("Tab", { row: 0, column: 0 }, size)).toBeUndefined();
});

test("a link of the application takes precedence over a link of the topic", () => {
  const task = { topicId: "t" };
  expect(findReach(task, { application: {}, topics: ["t"] })?.label).toBe("All");
  expect(findReach(task, { application: null, topics: ["t"] })?.label).toBe("Topic");
  expect(findReach(task, { application: null, topics: ["u"] })).toBeUndefined();
  expect(findReach({ topicId: null }, { application: null, topics: [] })).toBeUndefined();
});
