import { measureHolds } from "@ems/test-support/event-loop";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listScore, type MatchMode, stringScore } from "./score.ts";

test.each([
  [["a"], "a", 1],
  [["a"], "A", 0],
  [["a"], "\ufeffa\u00a0\r\n", 1],
  [["caf\u00e9"], "cafe\u0301", 1],
  [["a"], "", 0],
  [[""], "", 1],
  [["a", "b"], "b", 1],
  [["a"], undefined, 0],
  [[], undefined, 0],
] as const)("of %j expected, %j scores %i", (expected, got, score) => {
  expect(stringScore(expected, got)).toBe(score);
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
  // One item may contain several values, each of them once.
  ["contains", "a b", "ab", { tp: 2, f1: 1, precision: 1, recall: 1, missing: [] }],
  ["contains", "a b c", "ab x", { tp: 2, precision: 0.5, recall: 2 / 3 }],
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

test("containment finds each value in as many items as contain it, up to its number", async () => {
  await fc.assert(
    fc.asyncProperty(items, items, async (expected, got) => {
      const { tp, missing } = await listScore(expected, got, "contains");
      const have = [...Map.groupBy(expected, (value) => value)].map(([value, { length }]) =>
        Math.min(length, got.filter((item) => item.includes(value)).length),
      );
      expect(tp).toBe(have.reduce((sum, count) => sum + count, 0));
      expect(missing.reduce((sum, { need, have }) => sum + need - have, 0)).toBe(expected.length - tp);
    }),
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
