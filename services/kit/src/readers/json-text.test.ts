import { describe, expect, test } from "vitest";
import { UnreadableText } from "./budget.ts";
import { readJsonText, tryReadJsonText } from "./json-text.ts";

const limits = { values: 10, depth: 3, bytes: 1_000 };

function catchError(text: string): Pick<UnreadableText, "message" | "reason" | "position"> {
  try {
    readJsonText(text, limits);
  } catch (error) {
    if (error instanceof UnreadableText) return error;
    throw error;
  }
  throw new Error(`${text} is readable`);
}

test("JSON is read exactly like JSON.parse, within the limits", () => {
  for (const text of ["1", '"a"', "null", "[[[1]]]", '{"a": [1, 2, {}]}', ` [${"1,".repeat(8)}1] `])
    expect(readJsonText(text, limits)).toEqual(JSON.parse(text));
  expect(tryReadJsonText("[1]", limits, () => [2])).toEqual([2]);
});

describe("invalid JSON is an error with the path of its first fault:", () => {
  test.for<[string, string, number]>([
    ["", "$", 0],
    ["x", "$", 0],
    ["[1,", "$[1]", 3],
    ["[1] x", "$", 4],
    ["[1 2]", "$[0]", 3],
    ["[1}", "$[0]", 2],
    ["]", "$", 0],
    ['{"a" 1}', "$.a", 5],
    ['{"a": 1,}', "$", 8],
    ['{"a": [1, {"b": x}]}', "$.a[1].b", 16],
    ['{"a": {"b": 1}, "c": tru}', "$.c", 21],
    ['{"messages": [1, 2, {"content": "ü\\q"}]}', "$.messages[2].content", 32],
    ['{"a": "\u0001"}', "$.a", 6],
    ['{"a": "\\u12"}', "$.a", 6],
    ["[01]", "$[0]", 2],
    ["[-]", "$[0]", 1],
  ])("%j at %s", ([text, path, byte]) => {
    const { message, reason, position } = catchError(text);
    expect(message).toMatch(/^Invalid JSON: /);
    expect({ reason, position }).toEqual({ reason: "INVALID", position: { path, byte } });
    expect(tryReadJsonText(text, limits)).toBeUndefined();
  });
});

describe("text beyond a limit is not parsed, and the error names limit and position:", () => {
  test.for<[string, string, string]>([
    ["[[[[1]]]]", "Expected at most 3 nested levels of JSON", "$[0][0][0]"],
    [`{"a": [${"1,".repeat(10)}1]}`, "Expected at most 10 values of JSON", "$.a[7]"],
    [`["${"x".repeat(1_000)}"]`, "Expected at most 1,000 bytes of JSON", "$[0]"],
    [`["${"ü".repeat(600)}"]`, "Expected at most 1,000 bytes of JSON", "$[0]"],
  ])("%#", ([text, message, path]) => {
    const error = catchError(text);
    expect(error.message).toContain(message);
    expect(error).toMatchObject({ reason: "LIMIT", position: { path } });
    expect(tryReadJsonText(text, limits)).toBeUndefined();
  });
});

test("a megabyte of brackets is refused without recursion", () => {
  const deep = "[".repeat(1_000_000);
  expect(() => readJsonText(deep, { ...limits, bytes: 2_000_000 })).toThrow("nested levels");
  expect(() => readJsonText(deep, { values: Infinity, depth: Infinity, bytes: Infinity })).toThrow(UnreadableText);
});
