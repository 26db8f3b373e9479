import { expect, test } from "vitest";
import { patternFault } from "./own-pattern.ts";
import { type Redaction, Redactor, redactionLimits } from "./redaction.ts";
import type { RedactionRule } from "./rule.ts";

const email: RedactionRule = { builtIn: "EMAIL", replacement: "[email]" };
const phone: RedactionRule = { builtIn: "PHONE", replacement: "[phone]" };
const card: RedactionRule = { builtIn: "CREDIT_CARD", replacement: "[card]" };
const own = (pattern: string, replacement = "[own]"): RedactionRule => ({ pattern, replacement });

const redact = (rules: readonly RedactionRule[], text: string, limits = redactionLimits) =>
  new Redactor(rules).redact("a", "test", (redaction: Redaction) => redaction.text(text), limits);

const cases: readonly [readonly RedactionRule[], string, string][] = [
  [[email], "", ""],
  [[email], "nothing", "nothing"],
  [[email], "from a@b.de to c@d.de", "from [email] to [email]"],
  [[email, phone], "+49 30 1234567 a@b.de", "[phone] [email]"],
  // Overlapping patterns are replaced once, by the one that begins first.
  [[own("cd"), own("bcde?")], "abcdef", "a[own]f"],
  [[own("\\w+@"), email], "x a@b.de", "x [own]"],
  [[own("a"), own("own", "[two]")], "a own", "[own] [two]"],
  // Adjacent matches are merged.
  [[own("\\d")], "a1234b5", "a[own]b[own]"],
  [[own("\\b")], "no text is matched", "no text is matched"],
  [[own("ab", "")], "cabd", "cd"],
  [[own("^a"), own("z$")], "aaz", "[own]a[own]"],
  // JSON stays JSON, and everything between its values is unchanged.
  [[email], '{ "a@b.de": "a@b.de",  "n": 1.0 }', '{ "a@b.de": "[email]",  "n": 1.0 }'],
  [[email], '{"a":"x\\u0040b.de"}', '{"a":"[email]"}'],
  [
    [card],
    '["x\\n4111111111111111", 4111111111111111, 12345678901234567890]',
    '["x\\n[card]", "[card]", 12345678901234567890]',
  ],
  [[own("\\d{6}")], '{"id":123456,"k123456":[12,-123456.5]}', '{"id":"[own]","k123456":[12,"-[own].5"]}'],
  [[own('"')], '{"a":"b\\"c"}', '{"a":"b[own]c"}'],
  [
    [email],
    JSON.stringify({ args: JSON.stringify({ to: 'é"a@b.de\\' }) }),
    JSON.stringify({ args: JSON.stringify({ to: 'é"[email]\\' }) }),
  ],
  [[email], '"a@b.de"', '"[email]"'],
  // Text that only looks like JSON is plain text.
  [[email], "{'to': 'a@b.de'}", "{'to': '[email]'}"],
  [[email], '{"to": "a@b.de", ', '{"to": "[email]", '],
];

test.each(cases)("%j of %j: %j", async (rules, text, expected) => {
  expect(await redact(rules, text)).toBe(expected);
});

test("texts and numbers of JSON values are redacted at any depth; field names are not", async () => {
  const json = {
    "a@b.de": [{ to: "a@b.de", card: 4111111111111111, n: 5, ok: true, none: null }],
    __proto: "+4930123456",
  };
  const redacted = await new Redactor([email, phone, card]).redact("a", "test", (each) => each.value(json));
  expect(redacted).toEqual({
    "a@b.de": [{ to: "[email]", card: "[card]", n: 5, ok: true, none: null }],
    __proto: "[phone]",
  });
});

test("a long text is searched completely, across windows, without splitting characters", async () => {
  const text = `${"😀".repeat(30_000)}KD-123456${"😀".repeat(30_000)}KD-654321`;
  const expected = `${"😀".repeat(30_000)}[own]${"😀".repeat(30_000)}[own]`;
  expect(await redact([own("KD-\\d{6}")], text)).toBe(expected);
  const digits = `x${"1".repeat(60_000)}y`;
  expect(await redact([own("\\d+")], digits)).toBe("x[own]y");
});

test("a text that takes too long, and all later texts, are replaced completely", async () => {
  const limits = { ...redactionLimits, workMs: 0 };
  const redacted = await new Redactor([own("[a-z]{1,60}\\d")]).redact(
    "a",
    "test",
    function* (each) {
      return [yield* each.text(`${"a".repeat(1_000_000)}1`), yield* each.text("after"), yield* each.text('{"a":"b"}')];
    },
    limits,
  );
  expect(redacted).toEqual(["[redacted]", "[redacted]", '{"a":"[redacted]"}']);
});

test("the whole text is replaced if replacements would make the request too long", async () => {
  const rules = [own("a", "x".repeat(100))];
  const limits = { ...redactionLimits, growthMax: 1_000 };
  expect(await redact(rules, "a b a b a", limits)).toHaveLength(306);
  expect(await redact(rules, "a ".repeat(1_000), limits)).toBe("[redacted]");
});

test("other work runs while a long text is searched", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await redact([own("[a-z]{1,20}\\d")], `${"a".repeat(3_000)}1`.repeat(100));
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(5);
});

test.each([
  ["(a*)*b", undefined],
  ["(", /Not a pattern/],
  ["(?=a)", /Not a pattern/],
  ["a*", /empty/],
  ["", /empty/],
  ["[a-z]{1,100}", /Too complex/],
  ["((a{30}){30}){30}", /Not a pattern|Too complex/],
  [Array.from({ length: 80 }, (_, n) => `w${n * 7}x`).join("|"), /Too complex/],
])("the pattern %j is refused as %s", (pattern, reason) => {
  const startMs = performance.now();
  const fault = patternFault(pattern);
  if (reason === undefined) expect(fault).toBeUndefined();
  else expect(fault).toMatch(reason);
  expect(performance.now() - startMs).toBeLessThan(1_000);
});
