import { expect, test } from "vitest";
import { parseJson } from "./exact-json.ts";

test("ids above 2^53 are written as they came, in lists, objects and on their own", () => {
  for (const text of [
    '{"id":9054686819491029395,"list":[18446744073709551615,1.5,"9054686819491029395"]}',
    "1983516295378495150",
    "[0.12345678901234567890]",
  ])
    expect(JSON.stringify(parseJson(text))).toBe(text);
});

test("other numbers are numbers", () => {
  expect(parseJson('{"cost":0.30000000000000004,"zero":1.0000000000000000,"big":1e30,"ms":1772443800000}')).toEqual({
    cost: 0.30000000000000004,
    zero: 1,
    big: 1e30,
    ms: 1_772_443_800_000,
  });
});

test("text that is not JSON throws", () => {
  expect(() => parseJson("9054686819491029395,")).toThrow(SyntaxError);
});
