import fc from "fast-check";
import { expect, test } from "vitest";
import { findContained } from "./contained-values.ts";
import { contains } from "./contains.ts";

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
