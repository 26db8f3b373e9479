import { expect, test } from "vitest";
import { findSignInCode, localPath } from "./session.ts";

test.each([
  ["/topics?status=DRAFT", "/topics?status=DRAFT"],
  [undefined, "/"],
  ["//evil.example/x", "/"],
  ["/\\evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/sign-in?from=/sign-in", "/"],
])("sign-in continues to %s only if it is a page of the console", (from, expected) => {
  expect(localPath(from)).toBe(expected);
});

test("the code of a link follows the hash", () => {
  expect(findSignInCode("#code=abc")).toBe("abc");
  expect(findSignInCode("")).toBeUndefined();
});
