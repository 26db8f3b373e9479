import { expect, test } from "vitest";
import { codeOf, localPath } from "./session.ts";

test.each([
  ["/topics?status=DRAFT", "/topics?status=DRAFT"],
  [undefined, "/"],
  ["//evil.example/x", "/"],
  ["/\\evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/sign-in?from=/sign-in", "/"],
])("signing in goes on to %s only where that is a page of ours", (from, expected) => {
  expect(localPath(from)).toBe(expected);
});

test("a link's code is behind the hash", () => {
  expect(codeOf("#code=abc")).toBe("abc");
  expect(codeOf("")).toBeUndefined();
});
