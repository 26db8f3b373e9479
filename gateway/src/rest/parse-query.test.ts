import { expect, test } from "vitest";
import { parseQuery } from "./parse-query.ts";

test.each<[raw: string, values: Record<string, string[]>]>([
  ["", {}],
  ["&&", {}],
  ["a=1", { a: ["1"] }],
  ["a=1&b=2&a=3", { a: ["1", "3"], b: ["2"] }],
  ["a", { a: [""] }],
  ["a=", { a: [""] }],
  ["=1", { "": ["1"] }],
  ["a=b=c", { a: ["b=c"] }],
  ["a=x+y%20z%2B", { a: ["x y z+"] }],
  ["%61=%C3%BC%F0%9F%98%80", { a: ["ü😀"] }],
  ["a=%00", { a: ["\0"] }],
  ["status=A,B", { status: ["A,B"] }],
])("%j is read", (raw, values) => {
  const query = parseQuery(raw);
  expect({ ...query.values }).toEqual(values);
  expect(query.issues).toEqual([]);
});

test.each([
  ["a=%", "a"],
  ["a=%4", "a"],
  ["a=%zz", "a"],
  ["a=%ff", "a"],
  ["a=%C3", "a"],
  ["a=%ED%A0%80", "a"],
  ["a=%C0%80", "a"],
  ["a=ü", "a"],
  ["a=\u00ff", "a"],
  ["%ff=1", "%ff"],
  ["%61%=1", "%61%"],
])("%j is an issue of the parameter", (raw, name) => {
  expect(parseQuery(`${raw}&b=1`)).toEqual({
    values: { b: ["1"] },
    issues: [{ code: "invalid_string", message: "String must be percent-encoded UTF-8", path: [name] }],
  });
});

test("names of object properties are ordinary names", () => {
  const { values } = parseQuery("__proto__=1&constructor=2&__proto__=3");
  expect(Object.entries(values)).toEqual([
    ["__proto__", ["1", "3"]],
    ["constructor", ["2"]],
  ]);
  expect(Object.prototype).not.toHaveProperty("0");
});
