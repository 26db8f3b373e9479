import type { JsonValue } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isExactNumber, nearestDouble, parseJson, parseWithSources, readNumber, withDoubles } from "./exact-number.ts";

describe("numbers", () => {
  test.each([
    "9054686819491029395",
    "18446744073709551615",
    "1983516295378495150",
    "-9223372036854775808",
    "9007199254740993",
    "123456789012345678901234567890",
    "0.1234567890123456789",
    "-1234567890123456.7",
    "1.2345678901234567890e25",
  ])("%s keeps its digits", (digits) => {
    for (const text of [digits, ` [${digits}]`, `{"a":{"b":[1,${digits}]}}`, `[1,\n${digits},"${digits}"]`])
      expect(JSON.stringify(parseJson(text))).toBe(text.replaceAll(/\s/g, ""));
    expect(isExactNumber(readNumber(digits))).toBe(true);
    expect(nearestDouble(readNumber(digits))).toBe(Number(digits));
  });

  test.each([
    "0",
    "-0",
    "1.0",
    "9007199254740991",
    "9007199254740992",
    "10000000000000000000000",
    "0.30000000000000004",
    "1.7976931348623157e308",
    "1000000000000000000000.000000000000000",
    "5e-324",
    "0.00000000000000000000",
    "1e-400",
    `0.${"1".repeat(1_000)}`,
  ])("%s is a double", (digits) => {
    expect(parseJson(digits)).toBe(Number(digits));
    expect(readNumber(digits)).toBe(Number(digits));
  });

  test.each(["0x10", "1_000", " 1", "01", ".5", "1.", "NaN", ""])("%j is not a number of JSON", (text) => {
    expect(readNumber(text, 7)).toBe(7);
  });
});

test("digits in texts are no numbers", () => {
  const value = { id: "9054686819491029395", "9054686819491029395": "order 9054686819491029395 of 1, 2" };
  expect(parseJson(JSON.stringify(value))).toEqual(value);
});

test("text that is not JSON throws a SyntaxError", () => {
  for (const text of ["", "{", "9054686819491029395,", "[09054686819491029395]"])
    expect(() => parseJson(text)).toThrow(SyntaxError);
});

/** A number of up to 40 digits, as JSON writes it. */
const digits = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
    fc.stringMatching(/^(?:|\.\d{1,30})$/),
    fc.constantFrom("", "e5", "E-7", "e+12"),
  )
  .map((parts) => parts.join(""));

/** JSON with such numbers, as text. */
const texts = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    digits,
    fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
    fc.constantFrom("null", "true"),
    fc.array(tie("json"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
    fc
      .array(fc.tuple(fc.string(), tie("json")), { maxLength: 4 })
      .map((pairs) => `{${pairs.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`),
  ),
})).json;

test("any JSON has the same values as with JSON.parse, and a second reading changes nothing", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseJson(text);
      expect(withDoubles(parsed)).toEqual(JSON.parse(text));
      expect(JSON.stringify(parseWithSources(text))).toBe(JSON.stringify(parsed));
      expect(JSON.stringify(parseJson(JSON.stringify(parsed)))).toBe(JSON.stringify(parsed));
    }),
  );
});

/** Reads an integer that may be written with an exponent, as doubles from 1e21 are. */
function readInteger(written: string): bigint {
  const [digits = "", exponent = "0"] = written.split("e+");
  const [whole = "", fraction = ""] = digits.split(".");
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

test("integers of any length are written as they came", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), (integer) => {
      const value: JsonValue = parseJson(`{"id":${integer}}`);
      const written = JSON.stringify(value).slice(6, -1);
      expect(readInteger(written)).toBe(integer);
    }),
    { examples: [[12_345_678_901_234_568n * 10n ** 5n], [10n ** 60n], [-(10n ** 21n)]] },
  );
});
