import fc from "fast-check";
import { expect, test } from "vitest";
import { createQuoteFinder } from "./evidence.ts";

const answer = "In **Settings**, choose “Close account” – it’s final…\nYour\u00a0data is kept for 30 days. Grüße, Zoë";

test.each([
  ["the same text", "choose “Close account”", "choose “Close account”"],
  ["another case", "IN **SETTINGS**, CHOOSE", "In **Settings**, choose"],
  ["without emphasis", "In Settings, choose", "In **Settings**, choose"],
  ["plain quotation marks", 'choose "Close account" – it\'s', "choose “Close account” – it’s"],
  ["other quotation marks", "«close account»", "“Close account”"],
  ["another dash", "Close account” - it's final", "Close account” – it’s final"],
  ["two hyphens for a dash", "Close account” -- it's final", "Close account” – it’s final"],
  ["dots for an ellipsis", "it's final...", "it’s final…"],
  ["other white space", "final…\u2003Your data  is\tkept", "final…\nYour\u00a0data is kept"],
  ["no white space", "Yourdatais", "Your\u00a0data is"],
  ["decomposed letters", "Gru\u0308ße, Zoe\u0308", "Grüße, Zoë"],
  ["sharp s in capitals", "GRÜSSE", "Grüße"],
  ["full width letters", "３０ ｄａｙｓ", "30 days"],
  ["invisible characters", "30\u200b da\u00adys\ufeff", "30 days"],
  ["quotation marks around it", '"Your data is kept"', "Your\u00a0data is kept"],
  ["a period at the end", "Your data is kept.", "Your\u00a0data is kept"],
  ["an ellipsis within", "Your data … 30 days", "Your\u00a0data is kept for 30 days"],
  ["an ellipsis in brackets", "your data [...] 30 days", "Your\u00a0data is kept for 30 days"],
  ["ellipses around it", "...data is kept...", "data is kept"],
  ["several ellipses", "In settings ... close … 30 days", answer.slice(0, answer.indexOf("30 days") + 7)],
  ["the note of a truncated block", "close account [... 46 characters left out ...] it's", "Close account” – it’s"],
])("a quote with %s is the text of the source", (_, quote, found) => {
  expect(createQuoteFinder(answer)(quote)).toBe(found);
});

test.each([
  ["other words", "choose “Open account”"],
  ["parts in another order", "30 days … Settings"],
  ["a part that is missing", "Settings … Billing … 30 days"],
  ["overlapping parts", "Close account … account"],
  ["only ellipses", "… …"],
  ["only marks", "**"],
  ["nothing", " \n"],
])("a quote with %s is invalid", (_, quote) => {
  expect(createQuoteFinder(answer)(quote)).toBeUndefined();
});

test("a letter without its mark is not found", () => {
  const find = createQuoteFinder(answer.replaceAll("ü", "u\u0308"));
  expect([find("Gru"), find("grü")]).toEqual([undefined, "Gru\u0308"]);
});

test("Hangul syllables are found whole", () => {
  expect(createQuoteFinder("한국어")("하")).toBeUndefined();
  expect(createQuoteFinder("한국어")("한국어".normalize("NFD"))).toBe("한국어");
});

test("marks of arithmetic and names are not emphasis", () => {
  expect(createQuoteFinder("2 * 3 = 6")("23 = 6")).toBeUndefined();
  expect(createQuoteFinder("max_tokens")("maxtokens")).toBeUndefined();
});

test("parts far apart are joined by an ellipsis", () => {
  const source = `First. ${"word ".repeat(1_000)}Last.`;
  expect(createQuoteFinder(source)("first … last")).toBe("First … Last");
});

test("every passage of a text is found, in any spelling", () => {
  const spellings: ((text: string) => string)[] = [
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.normalize("NFD"),
    (text) => text.replace(/\s+/g, "\n  "),
    (text) => text.replace(/[“”’]/g, "'"),
    (text) => text.replace(/–/g, "—"),
  ];
  const words = fc.array(fc.constantFrom("Zoë", "“Close”", "–", "it’s", "Straße", "3.5", "설정", "İ", "ﬁne", "a*b"), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(words, words, words, fc.constantFrom(...spellings), (before, quoted, after, spelled) => {
      const text = [...before, ...quoted, ...after].join(" ");
      const found = createQuoteFinder(text)(spelled(quoted.join(" ")));
      expect(found).toBeDefined();
      expect(text).toContain(found);
    }),
  );
});

test("a part of a long text that the model did not see has no quotes", () => {
  const source = `Begin. ${"a ".repeat(50)}Middle. ${"b ".repeat(50)}The end.`;
  const find = createQuoteFinder(source, 40);
  expect([find("begin"), find("middle"), find("the END")]).toEqual(["Begin", undefined, "The end"]);
  expect(find("begin … the end")).toBe("Begin … The end");
});

test("long texts and quotes take linear time", () => {
  const source = `${"ab ".repeat(300_000)}${"*_ ".repeat(10_000)}`;
  const find = createQuoteFinder(source, source.length);
  const startedMs = performance.now();
  for (const quote of [`${"ab".repeat(5_000)}c`, ` ${" ".repeat(9_000)}x`, `${".".repeat(9_000)}x`, "“".repeat(9_000)])
    expect(find(quote)).toBeUndefined();
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
