import { measureHolds } from "@ems/test-support/event-loop";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { extractLimits, extractTexts } from "./extract-texts.ts";

test.each([
  ["total: 42 EUR", "(\\d+)", "", 1, ["42"]],
  ["total: 42 EUR", "\\d+", "", 0, ["42"]],
  ["1 2 3", "\\d", "g", 0, ["1", "2", "3"]],
  ["1 2 3", "\\d", "", 0, ["1"]],
  ["a=1;b=2", "(?:a=(\\d))|(?:b=(\\d))", "g", [1, 2], ["1", "2"]],
  ["a=1;b=2", "(?:a=(\\d))|(?:b=(\\d))", "g", [2], ["2"]],
  ["Answer: YES", "answer: (\\w+)", "i", 1, ["YES"]],
  ["x\ny", "^y$", "m", 0, ["y"]],
  ["x\ny", "^y$", "", 0, []],
  ["a\nb", "a.b", "s", 0, ["a\nb"]],
  ["nothing", "\\d", "g", 0, []],
  ["äöü", "\\p{L}", "gu", 0, ["ä", "ö", "ü"]],
] as const)("of %j, %j with flags %j gives group %j: %j", async (text, pattern, flags, group, texts) => {
  expect(await extractTexts(text, { pattern, flags, group })).toEqual({ ok: true, texts });
});

test("patterns that backtrack without limit in other engines end here", async () => {
  expect(await extractTexts("a".repeat(50_000), { pattern: "(a+)+b", flags: "", group: 0 })).toEqual({
    ok: true,
    texts: [],
  });
  expect(await extractTexts("a".repeat(50_000), { pattern: "(a|aa)+$", flags: "", group: 0 })).toMatchObject({
    ok: true,
  });
});

test("a pattern that is too slow for an answer of its length is refused, before and during the search", async () => {
  const timeout = { ok: false, message: expect.stringMatching(/^pattern_timeout: /) };
  const large = { pattern: "(.{1,50}){1,20}", flags: "", group: 0 };
  expect(await extractTexts("a".repeat(50_000), large)).toEqual(timeout);
  // Each search for "z" reads to the end of the text, so together the searches take quadratic time.
  const quadratic = { pattern: "a[^y]*z|a", flags: "g", group: 0 };
  const text = `${"a".repeat(20_000)}yz`;
  expect(await extractTexts(text, quadratic, { ...extractLimits, timeoutMs: 30 })).toEqual(timeout);
});

test("the number of matches is limited", async () => {
  const limits = { ...extractLimits, matchesMax: 3 };
  expect(await extractTexts("aaaaa", { pattern: "a", flags: "g", group: 0 }, limits)).toEqual({
    ok: true,
    texts: ["a", "a", "a"],
  });
});

test.each([
  ["(?:.*a){1,20}b$", "ab"],
  ["(.*)(.*)(.*)(.*)(.*)$", "abc"],
  ["(a?){30}(b?){30}$", "ab"],
])(
  "a search of %j in a long text does not block the event loop",
  async (pattern, unit) => {
    const size = RE2JS.compile(pattern).programSize();
    const text = unit.repeat(Math.floor(Math.min(200_000, extractLimits.workMax / size) / unit.length));
    const result = { ok: true, texts: [expect.any(String)] };
    const { longestHoldMs } = await measureHolds(async () => {
      expect(await extractTexts(text, { pattern, flags: "", group: 0 })).toEqual(result);
    });
    expect(longestHoldMs).toBeLessThan(100);
  },
  60_000,
);
