// Differences that readers cannot see never change a verdict.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Assertion } from "./assertion.ts";
import { checkAssertion } from "./check-assertion.ts";

const letters = ["a", "b", "Z", "é", "ü", "ñ", "Å", "ế", "한", "が", "й", "ש", "1", "2", ".", ",", "{", '"', "😀"];
const text = fc
  .array(fc.constantFrom(...letters, " ", "\n"), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join("").trim())
  .filter((each) => each !== "");

/** Writes the text in another way that reads the same. */
const disguise = (plain: string) =>
  fc
    .record({
      form: fc.constantFrom("NFC" as const, "NFD" as const),
      newline: fc.constantFrom("\n", "\r\n", "\r"),
      space: fc.constantFrom(" ", "\u00a0", "\u202f", "\u2007"),
      before: fc.constantFrom("", "\ufeff", " ", "\r\n", "\u00a0"),
      after: fc.constantFrom("", "\n", "\r\n", " \t", "\u00a0"),
    })
    .map(({ form, newline, space, before, after }) => {
      const written = plain.normalize(form).replaceAll(" ", space).replaceAll("\n", newline);
      return `${before}${written}${after}`;
    });

const assertions = (expected: string): Assertion[] => [
  { type: "equals", expected: [expected] },
  { type: "equals", expected: [expected], ignoreCase: true },
  { type: "contains", expected: [expected], match: "all" },
  { type: "starts-with", expected: [expected] },
  { type: "edit-distance", expected: [expected], max: 2 },
  { type: "number", expected: 12, tolerance: "0.5" },
  { type: "json-equals", expected: [12] },
];

test("Unicode forms, white space and line ends of both texts never change the verdict or the reason", async () => {
  const pairs = fc.tuple(text, text).chain(([expected, got]) => {
    const chosen = fc.constantFrom(expected, got, `${expected} ${got}`);
    return chosen.chain((answer) =>
      fc.tuple(fc.constant(expected), fc.constant(answer), disguise(expected), disguise(answer)),
    );
  });
  await fc.assert(
    fc.asyncProperty(pairs, async ([expected, got, disguisedExpected, disguisedGot]) => {
      const [plain, disguised] = [assertions(expected), assertions(disguisedExpected)];
      for (const [at, assertion] of plain.entries()) {
        const result = await checkAssertion(got, assertion);
        const other = await checkAssertion(disguisedGot, disguised[at] ?? assertion);
        const { reason: _, ...outcome } = result as { reason?: string };
        expect(other).toMatchObject(outcome);
        if (assertion.type === "equals") expect(other).toEqual(result);
      }
    }),
    { numRuns: 300 },
  );
});

test("a reason never quotes two texts that read the same", async () => {
  await fc.assert(
    fc.asyncProperty(text, text.chain(disguise), async (expected, got) => {
      const result = await checkAssertion(got, { type: "equals", expected: [expected], exact: true });
      const { passed, reason } = result as { passed: boolean; reason: string };
      expect(passed).toBe(expected === got);
      const [, left, right] = /^Expected "(.*)", got "(.*?)"(?:;|$)/s.exec(reason) ?? [];
      if (!passed) expect(left?.normalize("NFKC").trim()).not.toBe(right?.normalize("NFKC").trim());
    }),
  );
});
