import { expect, test } from "vitest";
import { type Choice, customScore } from "./score.ts";

test.each<[string, 0 | 1]>([
  ["Y", 1],
  ["N", 0],
  ["YYN", 1],
  ["NYN", 0],
  ["NYYNY", 1],
])("votes %s score %i", (votes, score) => {
  expect(customScore([...votes] as Choice[])).toEqual({ score, passed: score === 1 });
});
