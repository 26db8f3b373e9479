import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Comparison, JudgeDeps, JudgeInput } from "../judge.ts";
import { judgeOutputMatch } from "./judge.ts";

const deps: JudgeDeps = {
  model: undefined,
  random: (size) => Buffer.alloc(size),
  signal: new AbortController().signal,
};

async function judged(output: string, expected: string | readonly string[], comparison: Partial<Comparison> = {}) {
  const input: JudgeInput = {
    question: "",
    output,
    context: [],
    hasRetriever: false,
    facts: [],
    definition: { type: "OUTPUT_MATCH", name: "n", comparison: { type: "string", ...comparison }, styleGuide: [] },
    expected,
    votes: 1,
  };
  const { status, score, results, message } = await judgeOutputMatch(input, deps);
  return { status, score, message, reason: String(results?.reason) };
}

const extract = (pattern: string, flags: string, group: number) => ({ extract: { pattern, flags, group } });
const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"];
const list = { type: "list", matchMode: "exact_unordered" } as const;
const contained = { type: "list", matchMode: "contains" } as const;

test.each<[answer: string, expected: string | string[], comparison: Partial<Comparison>]>([
  [decomposed, composed, {}],
  [composed, decomposed, {}],
  ["Paris\n", "Paris", {}],
  ["Paris", "Paris\n", {}],
  ["\ufeffParis", "Paris", {}],
  ["New\u00a0York", "New York", {}],
  ["a\r\nb", "a\nb", {}],
  ["4", ["4", "four"], {}],
  ["four", ["4", "four"], {}],
  ["Antwort: \u00c4pfel", "\u00c4pfel", extract("Antwort:\\s*([\\p{L}]+)", "iu", 1)],
  ["Antwort: A\u0308pfel", "\u00c4pfel", extract("Antwort:\\s*(\\p{L}+)", "iu", 1)],
  ["Antwort:\u00a042\r\n", "42", extract("^Antwort: (\\d+)$", "m", 1)],
  ["a\r\nb", "b", extract("\\r\\n(b)", "", 1)],
  ['```json\n["a", "b"]\n```', ["a", "b"], list],
  ["- a\n- b", ["a", "b"], list],
  ["1. a\n2. b", ["a", "b"], list],
  ["a, b", ["b", "a"], list],
  [`- ${decomposed}\r\n- b\u00a0c`, ["b c", composed], list],
  ["I like Paris and Rome.", ["Paris", "Rome"], contained],
  // An import of promptfoo expects the empty text after a match.
  ["I sell softWARE", "", { exact: true, ...extract("(?:ware)()", "i", 1) }],
  ["Paris", "", { exact: true, ...extract("(?:^(P)[a-z]+)()", "", 2) }],
  ["- Paris\n- Rome", ["Paris", "Rome"], contained],
])("%j matches %j: %j", async (answer, expected, comparison) => {
  expect(await judged(answer, expected, comparison)).toMatchObject({ status: "COMPLETED", score: 1 });
});

test.each<[answer: string, expected: string | string[], comparison: Partial<Comparison>, reason: string | RegExp]>([
  ["paris", "Paris", {}, 'Expected "Paris", got "paris"'],
  ["I sell chairs", "", { exact: true, ...extract("(?:ware)()", "i", 1) }, "The pattern found nothing in the output"],
  ["five", ["4", "four"], {}, 'Expected "4" or "four", got "five"'],
  [decomposed, composed, { exact: true }, /"caf<U\+00E9>", got "caf<U\+0065><U\+0301>"/],
  ["New\u00a0York", ["New York", "Boston"], { exact: true }, /got "New<U\+00A0>York".* \(one of 2 expected texts\)$/],
  ["a\r\nb", "a\nb", { exact: true }, /U\+000D/],
  ["ab\u200bc", "abc", {}, /got "ab<U\+200B>c"/],
  ["Antwort: \u00c4pfel", "\u00c4pfel", extract("Antwort:\\s*(\\w+)", "i", 1), /\\w of the pattern is ASCII/],
  ["Gr\u00fc\u00dfe", "Gr\u00fc\u00dfe", extract("\\w+", "", 0), /^Expected .*\\w of the pattern is ASCII/],
  ["a", [decomposed], { ...list, exact: true }, /missing "cafe\u0301"$/],
])("%j does not match %j: %j, because %s", async (answer, expected, comparison, reason) => {
  const found = await judged(answer, expected, comparison);
  expect(found).toMatchObject({ status: "COMPLETED", score: 0 });
  if (typeof reason === "string") expect(found.reason).toBe(reason);
  else expect(found.reason).toMatch(reason);
});

describe("the same verdict", () => {
  const word = fc.constantFrom("Paris", composed, "S\u00e3o Paulo", "M\u00fcnchen", "Gen\u00e8ve", "10 000");
  const words = fc.uniqueArray(word, { minLength: 2, maxLength: 5 });

  test("for a list in every wrapping, order, Unicode form, line end and kind of space", async () => {
    const wrapping = fc.constantFrom<(items: readonly string[]) => string>(
      (items) => JSON.stringify(items),
      (items) => `\`\`\`json\n${JSON.stringify(items, null, 2)}\n\`\`\``,
      (items) => items.join("\n"),
      (items) => items.map((item) => `- ${item}`).join("\n"),
      (items) => items.map((item) => `* ${item}`).join("\n\n"),
      (items) => items.map((item, at) => `${at + 1}. ${item}`).join("\n"),
      (items) => items.map((item, at) => `${at + 1}) ${item}`).join("\n"),
      (items) => items.join(", "),
    );
    const spelling = fc.record({
      form: fc.constantFrom("NFC" as const, "NFD" as const),
      newline: fc.constantFrom("\n", "\r\n"),
      space: fc.constantFrom(" ", "\u00a0", "\u202f"),
      around: fc.constantFrom("", "\ufeff", "\n", "  "),
    });
    const shuffled = words.chain((expected) =>
      fc.tuple(
        fc.constant(expected),
        fc.shuffledSubarray(expected, { minLength: expected.length }),
        wrapping,
        spelling,
      ),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([expected, got, wrap, { form, newline, space, around }]) => {
        const text = wrap(got.map((item) => item.normalize(form).replaceAll(" ", space)));
        const answer = around + text.replaceAll("\n", newline) + around.replace("\ufeff", "");
        expect(await judged(answer, expected, list)).toMatchObject({ score: 1 });
        expect(await judged(`${answer.trimEnd()}\nOslo`, [...expected, "Bern"], contained)).not.toMatchObject({
          score: 1,
        });
      }),
    );
  });
});

test("an empty list expects nothing that a text could equal", async () => {
  expect(await judged("a", [])).toMatchObject({ status: "SKIPPED", message: expect.stringMatching(/^no_expected: /) });
});
