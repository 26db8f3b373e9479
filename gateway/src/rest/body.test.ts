import { describe, expect, test } from "vitest";
import { measureBody } from "../budget/index.ts";
import { getContentType, isTypeSupported, mediaType, parseBody } from "./body.ts";

const parse = (text: string) => parseBody(Buffer.from(text));
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const invalid = (message: unknown) => ({ issues: [{ code: "invalid_json", message, path: [] }] });

test("valid JSON is parsed", () => {
  expect(parse('{"a": [1, "ü", null]}')).toEqual({ value: { a: [1, "ü", null] } });
  expect(parse("null")).toEqual({ value: null });
});

test("an empty body is an empty object", () => {
  expect(parseBody(undefined)).toEqual({ value: {} });
  expect(parse("")).toEqual({ value: {} });
});

test("a byte order mark is ignored", () => {
  expect(parse("\ufeff{}")).toEqual({ value: {} });
});

describe("invalid JSON is an issue", () => {
  test.each(["{", "{a: 1}", "[1,]", "undefined", "NaN", "'a'", " ", '{"a": 1} x', '"\u0001"'])("%j", (text) => {
    expect(parse(text)).toEqual(invalid(expect.stringMatching(/^Invalid JSON: /)));
  });
});

test.each([[[0x22, 0xff, 0x22]], [[0x22, 0xc0, 0x80, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]], [[0x22, 0xe2, 0x82]]])(
  "bytes that are not UTF-8 are an issue: %j",
  (bytes) => {
    expect(parseBody(Uint8Array.from(bytes))).toEqual(invalid("Body is not valid UTF-8"));
  },
);

test("an object at any depth has at most 10,000 names", () => {
  const wide = (count: number) => `[{"a": {${Array.from({ length: count }, (_, at) => `"${at}":[{}]`)}}}]`;
  expect(parse(wide(10_000)).issues).toBeUndefined();
  expect(parse(wide(10_001))).toEqual(invalid("An object of JSON has more than 10000 names"));
});

describe("nesting", () => {
  const tooDeep = invalid("JSON is nested deeper than 32 levels");

  test("is limited to 32 levels", () => {
    expect(parse(nested(32)).issues).toBeUndefined();
    expect(parse(nested(33))).toEqual(tooDeep);
    expect(parse(`${'{"a":'.repeat(33)}1${"}".repeat(33)}`)).toEqual(tooDeep);
  });

  test("counts open brackets outside strings", () => {
    expect(parse(`[${Array(100).fill("[[]]").join()}]`).issues).toBeUndefined();
    expect(parse(JSON.stringify(["[".repeat(100), '\\"[[[['.repeat(100), "\\"])).issues).toBeUndefined();
    expect(parse(`{"\\"": ${nested(32)}}`)).toEqual(tooDeep);
  });

  test("of a megabyte of brackets is rejected quickly and without recursion", () => {
    const started = performance.now();
    expect(parse("[".repeat(1024 * 1024))).toEqual(tooDeep);
    expect(parse('[{"":'.repeat(200_000))).toEqual(tooDeep);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("the number of values, counted before parsing,", () => {
  const weigh = (text: string, values = Infinity) => measureBody(Buffer.from(text), { values, allValues: Infinity });

  /** Counts elements, members, lists and objects of a parsed value. */
  function count(value: unknown): number {
    if (typeof value !== "object" || value === null) return 0;
    const items: unknown[] = Object.values(value);
    return items.reduce<number>((sum, item) => sum + count(item), Math.max(1, items.length));
  }

  test.each([
    "1",
    "[]",
    "[1, 2, 3]",
    '{"a,[{": "\\",[", "b": [1, {}, ["]", "\\\\"]]}',
    '["ü\ud83d\ude00,[", {"{": {"}": null}}]',
  ])("equals the parser's count: %s", (text) => {
    expect(weigh(text)).toMatchObject({ values: 1 + count(JSON.parse(text)), isTooDeep: false });
  });

  test("is counted up to one more than the maximum", () => {
    expect(weigh(`[${"1,".repeat(1_000_000)}1]`, 100).values).toBe(101);
    expect(weigh("[".repeat(30), 10).values).toBe(11);
  });
});

const types = ["application/json", "application/x-protobuf"];

test.each([
  ["application/json", undefined, true],
  ["Application/JSON ; Charset=UTF-8", undefined, true],
  ['application/json; charset="utf8"', undefined, true],
  ["application/json; charset=latin1", undefined, false],
  ["application/x-protobuf", "GZIP", true],
  ["application/x-protobuf; charset=latin1", "identity", true],
  ["application/json", "br", false],
  ["application/json", "gzip, gzip", false],
  ["application/jsonp", undefined, false],
  ["text/plain", undefined, false],
  ["", undefined, false],
  [undefined, undefined, false],
])("%s, encoding %s: %s", (type, encoding, isSupported) => {
  const headers = {
    ...(type !== undefined && { "content-type": type }),
    ...(encoding !== undefined && { "content-encoding": encoding }),
  };
  expect(isTypeSupported(headers, types)).toBe(isSupported);
});

test("a type has no parameters and is in lower case; a service receives the boundary unchanged", () => {
  const of = (type: string) => [mediaType({ "content-type": type }), getContentType({ "content-type": type })];
  expect(of("Text/Plain; charset=utf-8")).toEqual(["text/plain", "text/plain"]);
  expect(of("multipart/form-data; boundary=--AbC")).toEqual([
    "multipart/form-data",
    'multipart/form-data; boundary="--AbC"',
  ]);
  expect(of('Multipart/Form-Data; Boundary="a b"; charset=utf-8')).toEqual([
    "multipart/form-data",
    'multipart/form-data; boundary="a b"',
  ]);
  expect([mediaType({}), getContentType({})]).toEqual([undefined, undefined]);
});
