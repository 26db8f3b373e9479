import { expect, test } from "vitest";
import { reword } from "./errors.ts";

test.each([
  ["String must contain at least 1 character(s)", "Enter a value"],
  ["String must contain at most 200 character(s)", "Use at most 200 characters"],
  ["Array must contain at least 2 element(s)", "Use at least 2 entries"],
  ["Number must be greater than or equal to 0.5", "Use 0.5 or more"],
  ["Number must be less than 20", "Use less than 20"],
  ["must be https and resolve to a public host", "must be https and resolve to a public host"],
])("the issue %s is displayed as %s", (message, expected) => {
  expect(reword(message)).toBe(expected);
});
