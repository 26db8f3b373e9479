import { measureHolds } from "@ems/test-support/event-loop";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findContained } from "../text-search/contained-values.ts";
import { contains } from "../text-search/contains.ts";
import { listItems, listScore, type MatchMode, stringScore } from "./score.ts";

test.each([
  [["a"], "a", 1],
  [["a"], "A", 0],
  [["a"], "a ", 0],
  [["a"], "", 0],
  [[""], "", 1],
  [["a", "b"], "b", 1],
  [["a"], undefined, 0],
  [[], undefined, 0],
] as const)("of %j expected, %j scores %i", (expected, got, score) => {
  expect(stringScore(expected, got)).toBe(score);
});

test.each([
  ["a\nb\n", ["a", "b"]],
  ["  a  \r\n\r\n\tb\rc", ["a", "b", "c"]],
  ['["a", " b ", 1, null, {"c": [2]}, "", true]', ["a", "b", "1", "null", '{"c":[2]}', "true"]],
  [' \n["a"]\n', ["a"]],
  ["[]", []],
  ['["a"', ['["a"']],
  ['{"a": 1}', ['{"a": 1}']],
  ["", []],
])("%j has the items %j", (text, items) => {
  expect(listItems(text)).toEqual(items);
});

const list = (text: string) => (text === "" ? [] : text.split(" "));

test.each<[MatchMode, string, string, object]>([
  ["exact_unordered", "a b c", "c b a", { tp: 3, f1: 1, precision: 1, recall: 1, missing: [] }],
  ["exact_unordered", "a b", "a c", { tp: 1, f1: 0.5, missing: [{ value: "b", have: 0, need: 1 }] }],
  ["exact_unordered", "a a b", "a b b", { tp: 2, f1: 2 / 3, missing: [{ value: "a", have: 1, need: 2 }] }],
  ["exact_unordered", "a", "a b c d", { tp: 1, f1: 0.4, precision: 0.25, recall: 1, missing: [] }],
  ["exact_unordered", "a", "A", { tp: 0, f1: 0 }],
  ["exact_unordered", "a b", "", { tp: 0, f1: 0, precision: 0, recall: 0 }],
  ["exact_unordered", "", "a", { tp: 0, f1: 0, precision: 0, recall: 1, missing: [] }],
  ["exact_unordered", "", "", { tp: 0, f1: 1, precision: 1, recall: 1, missing: [] }],
  ["contains", "a b", "xax xbx", { tp: 2, f1: 1 }],
  // A greedy match would find one pair less: if "b" takes "ab", no item is left for "a".
  ["contains", "a b", "ab bb", { tp: 2, missing: [] }],
  ["contains", "b a", "ab bb", { tp: 2, missing: [] }],
  ["contains", "a a", "ab", { tp: 1, missing: [{ value: "a", have: 1, need: 2 }] }],
  ["contains", "abc", "ab", { tp: 0, missing: [{ value: "abc", have: 0, need: 1 }] }],
])("%s: expected %j, got %j", async (mode, expected, got, result) => {
  expect(await listScore(list(expected), list(got), mode)).toMatchObject(result);
});

const mode = fc.constantFrom<MatchMode>("exact_unordered", "contains");
const items = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 3 }), {
  maxLength: 7,
});

test("scores stay in 0 to 1, f1 lies between precision and recall, and order does not matter", async () => {
  await fc.assert(
    fc.asyncProperty(items, items, mode, async (expected, got, by) => {
      const score = await listScore(expected, got, by);
      for (const each of [score.f1, score.precision, score.recall]) {
        expect(each).toBeGreaterThanOrEqual(0);
        expect(each).toBeLessThanOrEqual(1);
      }
      expect(score.f1).toBeGreaterThanOrEqual(Math.min(score.precision, score.recall) - 1e-12);
      expect(score.f1).toBeLessThanOrEqual(Math.max(score.precision, score.recall) + 1e-12);
      const { missing: _, ...turned } = await listScore(expected.toReversed(), got.toReversed(), by);
      expect(score).toMatchObject(turned);
    }),
  );
});

test("an additional item never lowers recall, and containment finds at least as much as equality", async () => {
  await fc.assert(
    fc.asyncProperty(
      items,
      items,
      fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1 }),
      async (expected, got, more) => {
        const contained = await listScore(expected, got, "contains");
        expect((await listScore(expected, [...got, more], "contains")).recall).toBeGreaterThanOrEqual(contained.recall);
        expect(contained.tp).toBeGreaterThanOrEqual((await listScore(expected, got, "exact_unordered")).tp);
      },
    ),
  );
});

test("containment finds as many pairs as any assignment", async () => {
  const best = ([first, ...rest]: readonly string[], got: readonly string[]): number => {
    if (first === undefined) return 0;
    const matched = got.flatMap((item, at) => (item.includes(first) ? [1 + best(rest, got.toSpliced(at, 1))] : []));
    return Math.max(best(rest, got), ...matched);
  };
  await fc.assert(
    fc.asyncProperty(items, items, async (expected, got) => {
      const { tp, missing } = await listScore(expected, got, "contains");
      expect(tp).toBe(best(expected, got));
      expect(missing.reduce((sum, { need, have }) => sum + need - have, 0)).toBe(expected.length - tp);
    }),
    { numRuns: 300 },
  );
});

const numbered = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, i) => item(i));

test.each<[name: string, expected: readonly string[], got: readonly string[]]>([
  [
    "long texts of one letter",
    numbered(80, (i) => `${"a".repeat(5_000)}b${"a".repeat(5_000 + i)}`),
    ["a".repeat(200_000)],
  ],
  ["beginnings of one text", numbered(1_000, (i) => "a".repeat(i + 1)), numbered(1_000, (i) => "a".repeat(1_000 - i))],
  [
    "items that contain ever fewer values",
    numbered(1_000, (i) => `${i}.`),
    numbered(1_000, (i) => numbered(1_000 - i, (j) => `${j}.`).join(" ")),
  ],
])(
  "%s are compared without blocking the event loop",
  async (_name, expected, got) => {
    const { longestHoldMs } = await measureHolds(() => listScore(expected, got, "contains"));
    expect(longestHoldMs).toBeLessThan(100);
  },
  20_000,
);

test("the length of texts does not change the result of containment", async () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(word, { maxLength: 12 }),
      fc.array(word, { maxLength: 12 }),
      async (values, texts) => {
        const found = await findContained(values, texts);
        const expected = texts.map((text) => [...values.keys()].filter((index) => text.includes(values[index] ?? "")));
        expect(found.map((each) => each.toSorted((a, b) => a - b))).toEqual(expected);
      },
    ),
  );
});

test.each([
  [`${"a".repeat(1_000)}b`, true],
  [`${"a".repeat(1_000)}c`, false],
  [`${"a".repeat(900)}b${"a".repeat(900)}`, true],
  [`${"a".repeat(900)}b${"a".repeat(900)}b`, false],
])("a quote is found in a long text only if it is there", (quote, isThere) => {
  const text = `${"a".repeat(90_000)}b${"a".repeat(90_000)}`;
  expect([contains(text, quote), text.includes(quote)]).toEqual([isThere, isThere]);
});
