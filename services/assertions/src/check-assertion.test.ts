import { measureHolds } from "@ems/test-support/event-loop";
import { describe, expect, test } from "vitest";
import type { Assertion } from "./assertion.ts";
import { checkAssertion } from "./check-assertion.ts";

const equals = (...expected: string[]): Assertion => ({ type: "equals", expected });
const number = (expected: number | string, tolerance: number | string = 0): Assertion => ({
  type: "number",
  expected,
  tolerance,
});
const json = (expected: string): Assertion => ({ type: "json-equals", expected });
const matches = (pattern: string, flags = ""): Assertion => ({ type: "matches", pattern, flags });
const distance = (max: number, ...expected: string[]): Assertion => ({ type: "edit-distance", expected, max });

const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"];

describe("each assertion, and its opposite", () => {
  test.each<[Assertion, text: string, passes: boolean, reason: string]>([
    [equals("Paris"), "Paris", true, 'Equals "Paris"'],
    [equals(composed), decomposed, true, `Equals "${composed}"`],
    [equals("Paris"), "\uFEFFParis\r\n", true, 'Equals "Paris"'],
    [equals("New York"), "New\u00a0York", true, 'Equals "New York"'],
    [equals("10 000"), "10\u202f000", true, 'Equals "10 000"'],
    [equals("a\nb"), "a\r\nb", true, 'Equals "a<U+000A>b"'],
    [equals("4", "four"), "four", true, 'Equals "four"'],
    [equals("4", "four"), "five", false, 'Expected "4" or "four", got "five"'],
    [equals("Paris"), "paris", false, 'Expected "Paris", got "paris"'],
    [{ ...equals("Straße"), ignoreCase: true }, "STRASSE", true, 'Equals "strasse"'],
    [{ ...equals("Οδός"), ignoreCase: true }, "ΟΔΌΣ", true, 'Equals "οδόσ"'],
    [
      { type: "contains", expected: ["Rome", "Paris"], match: "all" },
      "Paris, Rome",
      true,
      'Contains "Rome" and "Paris"',
    ],
    [
      { type: "contains", expected: ["Rome", "Oslo"], match: "all" },
      "Paris, Rome",
      false,
      'Expected to contain "Oslo", got "Paris, Rome"',
    ],
    [
      { type: "contains", expected: ["Rome", "Oslo"], match: "any" },
      "Paris, Rome",
      true,
      'Contains "Rome", and not "Oslo"',
    ],
    [{ type: "contains", expected: ["Oslo"], match: "any" }, "Rome", false, 'Expected to contain "Oslo", got "Rome"'],
    [{ type: "contains", expected: [composed], match: "any" }, `a ${decomposed}!`, true, `Contains "${composed}"`],
    [{ type: "starts-with", expected: ["Dear"] }, " Dear Ada", true, 'Starts with "Dear"'],
    [{ type: "starts-with", expected: ["Dear"] }, "Hello Ada", false, 'Expected the start "Dear", got "Hell"'],
    [matches("\\d+ EUR"), "It costs 42\u00a0EUR.", true, '"42 EUR" matches the pattern \\d+ EUR'],
    [matches("a\\r\\nb"), "a\r\nb", true, '"a<U+000D><U+000A>b" matches the pattern a\\r\\nb'],
    [matches("^[a-z]+$", "i"), "Ada 1", false, 'No match of the pattern ^[a-z]+$ in "Ada 1"'],
    [number(42), "It costs 42 EUR.", true, "42 is 42"],
    [number(0.3, 0.2), "0.1", true, "0.1 is 0.3 within 0.2"],
    [number(0.3, 0.1), "0.1", false, "Expected 0.3 within 0.1. The number is 0.1"],
    [number(1234.5), "1.234,5", true, "1.234,5 is 1234.5"],
    [number(1234567), "1 234 567", true, "1 234 567 is 1234567"],
    [number(-5), "\u22125 °C", true, "\u22125 is -5"],
    [
      number("9007199254740993"),
      "9007199254740992",
      false,
      "Expected 9007199254740993. The number is 9007199254740992",
    ],
    [number(42), "4 or 42", false, 'Expected 42. There are several numbers in "4 or 42": 4, 42'],
    [number(42), "forty-two", false, 'Expected 42. There is no number in "forty-two"'],
    [json('{"a": [1, "x"]}'), '```json\n{"a": [1.0, "x"]}\n```', true, "The JSON equals the expected value"],
    [json('{"a": 1, "b": 2}'), '{"b":2,"a":1}', true, "The JSON equals the expected value"],
    [json('{"a": [1, 2]}'), '{"a": [1, 3]}', false, "The JSON differs at $.a[1]: expected 2, got 3"],
    [json('{"a": 1}'), '{"a": 1, "b": 2}', false, "The JSON differs at $.b: expected nothing, got 2"],
    [json('{"id": 9054686819491029395}'), '{"id": 9054686819491029394}', false, expect.stringMatching(/ at \$\.id: /)],
    [json(`["${composed}"]`), `["${decomposed}"]`, true, "The JSON equals the expected value"],
    [json("1"), "one", false, expect.stringMatching(/^The text is not JSON: .*Got "one"$/)],
    [
      { type: "json-schema", schema: { type: "object", required: ["id"], properties: { id: { type: "integer" } } } },
      '{"id": "7"}',
      false,
      "The JSON breaks the schema at $.id: must be integer",
    ],
    [
      { type: "json-schema", schema: { type: "array", items: { enum: [1, 2] } } },
      "[1,2]",
      true,
      "The JSON matches the schema",
    ],
    [distance(1, "Paris"), "Pariz", true, 'The edit distance to "Paris" is 1, at most 1'],
    [
      distance(1, "kitten"),
      "sitting",
      false,
      'The edit distance to "kitten" is above 1. Expected "kitten", got "sitting"',
    ],
    [distance(0, composed), decomposed, true, `The edit distance to "${composed}" is 0, at most 0`],
  ])("%j of %j: %j", async (assertion, text, passes, reason) => {
    expect(await checkAssertion(text, assertion)).toEqual({ ok: true, passed: passes, reason });
    const opposite = await checkAssertion(text, { ...assertion, not: true });
    expect(opposite).toMatchObject({ ok: true, passed: !passes });
    if (passes) expect(opposite).toMatchObject({ reason: expect.stringMatching(/, which is not allowed$/) });
  });
});

test.each<[code: string, Assertion, text: string]>([
  ["pattern_timeout", matches("(.{1,50}){1,20}"), "a".repeat(50_000)],
  ["invalid_number", number("1e5000"), "1"],
  ["invalid_json", json("{"), "{}"],
  ["invalid_schema", { type: "json-schema", schema: { type: "unknown" } }, "{}"],
  ["schema_timeout", { type: "json-schema", schema: createExplodingSchema() }, "1"],
  ["distance_timeout", distance(10_000, "a".repeat(100_000)), "b".repeat(100_000)],
])(
  "an assertion that cannot be checked gives %s",
  async (code, assertion, text) => {
    for (const not of [false, true]) {
      const result = await checkAssertion(text, { ...assertion, not });
      expect(result).toEqual({ ok: false, message: expect.stringMatching(new RegExp(`^${code}: `)) });
    }
  },
  40_000,
);

describe("exact", () => {
  test.each<[expected: string, got: string, reason: RegExp]>([
    [composed, decomposed, /"caf<U\+00E9>", got "caf<U\+0065><U\+0301>"; .* character 4: .*U\+00E9.*U\+0065 U\+0301/],
    ["Paris", "Paris\n", /got "Paris<U\+000A>"; .* character 6: the end and U\+000A/],
    ["Paris", "\uFEFFParis", /got "<U\+FEFF>Paris"/],
    ["a b", "a\u00a0b", /got "a<U\+00A0>b"/],
    ["ab", "a\u200bb", /got "a<U\+200B>b"/],
    ["Moscow", "\u041coscow", /Expected "<U\+004D>oscow", got "<U\+041C>oscow"/],
    ["file", "\ufb01le", /got "<U\+FB01>le"/],
  ])("shows how %j differs from %j", async (expected, got, reason) => {
    const result = await checkAssertion(got, { ...equals(expected), exact: true });
    expect(result).toMatchObject({ passed: false, reason: expect.stringMatching(reason) });
    expect(await checkAssertion(expected, { ...equals(expected), exact: true })).toMatchObject({ passed: true });
  });

  test("a long text is quoted around its first difference", async () => {
    const [expected, got] = [`${"a".repeat(5_000)}b${"a".repeat(5_000)}`, "a".repeat(10_001)];
    const { reason } = (await checkAssertion(got, equals(expected))) as { reason: string };
    expect(reason).toMatch(/^Expected "…a{30}ba+…", got "…a+…"; the first difference is character 5001: "b" .* "a" /);
    expect(reason.length).toBeLessThan(400);
  });
});

/** Returns a schema whose references double the work 40 times. */
function createExplodingSchema(): object {
  return {
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        at === 39 ? { type: "string" } : { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    ),
    $ref: "#/$defs/d0",
  };
}
const many = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => [at]));

test.each<[name: string, Assertion, text: string]>([
  ["unique items", { type: "json-schema", schema: { uniqueItems: true } }, many],
  ["equality of long texts", equals("a".repeat(1_000_000)), `${"a".repeat(999_999)}b`],
  [
    "long texts that contain many",
    { type: "contains", expected: [`${"a".repeat(10_000)}b`], match: "all" },
    "a".repeat(1_000_000),
  ],
  ["unclosed fences", json("1"), "```\n".repeat(200_001)],
  ["many digits", number(1), `${"1".repeat(1_000_000)}`],
  ["many numbers", number(1), "1,1 ".repeat(250_000)],
  ["edit distances", distance(200, "ab".repeat(50_000)), "cd".repeat(50_000)],
  ["deep JSON", json("1"), "[".repeat(1_000_000)],
  ["runs of marks", equals("a"), "\u0301\u0316".repeat(200_000)],
])(
  "%s neither blocks the event loop nor takes long",
  async (_name, assertion, text) => {
    const before = performance.now();
    const { longestHoldMs } = await measureHolds(async () => {
      expect(await checkAssertion(text, assertion)).not.toMatchObject({ passed: true });
    });
    expect(longestHoldMs).toBeLessThan(500);
    expect(performance.now() - before).toBeLessThan(15_000);
  },
  30_000,
);
