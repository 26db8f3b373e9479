import { expect, test } from "vitest";
import { describeRest } from "./found.ts";
import { findTyped } from "./typed.ts";

const keys = [
  { value: "a", label: "Build server" },
  { value: "b", label: "Laptop" },
];

test("typing finds labels that contain the text, and always the chosen values", () => {
  expect(findTyped(keys, "LAP", []).choices).toEqual([keys[1]]);
  expect(findTyped(keys, "lap", ["a"]).choices).toEqual(keys);
  expect(findTyped(keys, "", ["gone"]).choices).toEqual([{ value: "gone", label: "gone" }, ...keys]);
});

test("a list that is cut off says of how many it shows the first", () => {
  expect(describeRest({ choices: keys, total: 979 }, String)).toBe("2 of 979, type to find others");
  expect(describeRest({ choices: keys, total: 2 }, String)).toBeUndefined();
  expect(describeRest({ choices: [], total: undefined }, String)).toBeUndefined();
});
