import { describe, expect, test } from "vitest";
import { hasWideObject, measureJson } from "./measure-json.ts";

const measure = (text: string) => measureJson(Buffer.from(text));
const json = (value: unknown) => JSON.stringify(value);

/** Counts lists, objects, their items and members, like JSON.parse. */
function count(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const items: unknown[] = Object.values(value);
  return items.reduce<number>((sum, item) => sum + count(item), Math.max(1, items.length));
}

/** Counts lists, objects, items and members of JSON inside texts, at any depth. */
function countInTexts(value: unknown): number {
  if (typeof value === "string") {
    if (!/^\s*[[{"]/.test(value)) return 0;
    const inner: unknown = JSON.parse(value);
    return count(inner) + countInTexts(inner);
  }
  if (typeof value !== "object" || value === null) return 0;
  const texts = [...Object.values(value), ...(Array.isArray(value) ? [] : Object.keys(value))];
  return texts.reduce<number>((sum, each) => sum + countInTexts(each), 0);
}

const messages = [
  { role: "user", content: 'Hello, "you", and\\ [them], {all}\\\\' },
  { role: "assistant", tool_calls: [{ arguments: json({ city: 'Oslo, "N"', days: [1, 2, 3] }) }] },
];

describe("JSON inside texts is counted like the parser does:", () => {
  test.for<[string, unknown]>([
    ["a list of numbers", { "gen_ai.prompt": json([1, 1, 1]) }],
    ["messages with texts that have commas, quotes and backslashes", { input: json(messages) }],
    ["a text of JSON in a text of JSON", [json([json([1, json({ a: [2, 2, "b,c"] }), "x,y"])])]],
    ["a text that is a JSON text of a list", { a: json(json([1, 1])) }],
    ["layout", { a: "\n\t [1, 1]", b: JSON.stringify(messages, null, 2) }],
    ["names of members", { [json([1, 2])]: json({ [json([3, 4])]: 5 }) }],
    ["nothing in prose", ["Hello, you, and [them], {all}", "x", "", "\\", '\\"', "a [1, 1]"]],
    ["empty ones", ["[]", "{}", json(json({})), json("")]],
  ])("%s", ([, value]) => {
    const { values, textValues } = measure(json(value));
    expect({ values, textValues }).toEqual({ values: 1 + count(value), textValues: countInTexts(value) });
  });

  test("with any escapes of its structure", () => {
    for (const text of [
      String.raw`{"a": "\u005b1\u002c1\u002C1]"}`,
      String.raw`{"a": "\u000a\u0020\u005B1,1,1]"}`,
      String.raw`{"a": "[\u0022x,y\u0022,\u0022\\\u0022,\\\\\u0022,1]"}`,
      String.raw`{"a": "[\"x,y\\u0022,\",1,1]"}`,
    ])
      expect([text, measure(text).textValues]).toEqual([text, 3]);
    // After a backslash written as its code, the ends of texts are unknown, so all commas count.
    expect(measure(String.raw`{"a": "[\"\u005c\",1,1,1\"]"}`).textValues).toBeGreaterThanOrEqual(4);
  });

  test("random JSON in random texts", () => {
    let seed = 7;
    const random = (max: number) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % max;
    };
    const texts = ["", ",", "[", '"', "\\", "a,b", "\\u0022", '{"', "\n", "ü", "\u2028,"];
    const value = (depth: number): unknown => {
      const kind = depth === 0 ? random(2) : random(6);
      if (kind === 0) return random(1_000);
      // Prose that begins like JSON is counted although it is not JSON: not compared here.
      if (kind === 1) return `x${Array.from({ length: random(5) }, () => texts[random(texts.length)]).join("")}`;
      const items = Array.from({ length: random(4) }, () => value(depth - 1));
      if (kind === 2) return items;
      if (kind === 3)
        return Object.fromEntries(items.map((item, at) => [`k${at}${texts[random(texts.length)]}`, item]));
      return json(items);
    };
    for (let round = 0; round < 2_000; round++) {
      const root = [value(5)];
      const { values, textValues } = measure(json(root));
      expect([json(root), values, textValues]).toEqual([json(root), 1 + count(root), countInTexts(root)]);
    }
  });
});

test("counting ends at one more than a limit, also inside texts", () => {
  const ones = Buffer.from(json([json(Array(100_000).fill(1))]));
  expect(measureJson(ones, { allValues: 100 })).toMatchObject({ values: 2, textValues: 99 });
  expect(measureJson(Buffer.from("[".repeat(30)), { values: 10 }).values).toBe(11);
  expect(measureJson(Buffer.from("[".repeat(30)), { depth: 10 }).depth).toBe(11);
});

test("time is linear in the bytes, whatever they are", () => {
  const hostile: Record<string, (size: number) => string> = {
    backslashes: (size) => `["[${"\\\\".repeat(size / 2)}"]`,
    quotes: (size) => `["[${'\\"'.repeat(size / 2)}"]`,
    "spaces before each text": (size) => `["[${`\\"${" ".repeat(98)}`.repeat(size / 100)}"]`,
    codes: (size) => `["[${"\\u0022".repeat(size / 6)}"]`,
  };
  const timeMs = (bytes: Buffer) => {
    const startedMs = performance.now();
    measureJson(bytes);
    return performance.now() - startedMs;
  };
  for (const [name, make] of Object.entries(hostile)) {
    const bytes = Buffer.from(make(4_000_000));
    const bestMs = Math.min(...Array.from({ length: 3 }, () => timeMs(bytes)));
    expect([name, bestMs < 400]).toEqual([name, true]);
  }
});

test("an object is wide by its own names, whatever its texts and neighbors contain", () => {
  const isWide = (text: string) => hasWideObject(Buffer.from(text), 2);
  for (const text of [
    '{"a": 1, "b": [{"c": 1, "d": 1}, {"e": 1}]}',
    "[1, 2, 3, 4]",
    '{"a:::": "::\\":::", "b": ":"}',
    "",
    "}:]",
  ])
    expect([text, isWide(text)]).toEqual([text, false]);
  for (const text of ['{"a": 1, "b": {"x": {}}, "c": 2}', '[[{"a":[{}],"b":{},"c":"'])
    expect([text, isWide(text)]).toEqual([text, true]);
});
