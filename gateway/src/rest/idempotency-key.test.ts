import { expect, test } from "vitest";
import { readIdempotencyKey } from "./idempotency-key.ts";

test.each([
  [undefined, {}],
  ["abc", { key: "abc" }],
  ['"abc"', { key: "abc" }],
  ['a"b', { key: 'a"b' }],
  ["x".repeat(255), { key: "x".repeat(255) }],
])("%s is read", (header, read) => {
  expect(readIdempotencyKey(header)).toEqual(read);
});

test.each([[""], ['""'], ["a b"], ["ü"], ["x".repeat(256)], [["a", "b"]]])("%s is an issue", (header) => {
  expect(readIdempotencyKey(header).issue).toMatchObject({ code: "invalid_string", path: ["Idempotency-Key"] });
});
