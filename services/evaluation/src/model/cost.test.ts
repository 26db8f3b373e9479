import { expect, test } from "vitest";
import { tokensMax } from "./cost.ts";

const of = (text: string) =>
  tokensMax({ system: "", prompt: text, schema: { json: {} }, maxOutputTokens: 7 }).inputTokens -
  tokensMax({ system: "", prompt: "", schema: { json: {} }, maxOutputTokens: 7 }).inputTokens;

// Expected counts are from the tokenizers o200k_base and cl100k_base, whichever is larger.
test.each([
  ["English", "The quick brown fox jumps over the lazy dog. ", 11],
  ["rare Chinese", "龘靐齉齾爩麤龗灪", 19],
  ["emoji", "👩🏽‍🚀🧑‍🦼🫠", 22],
  ["base64", "q83vEjRWeJCrze8SNFZ4kA==", 18],
  ["Amharic", "ሀለሐመሠረሰሸ", 23],
  ["cuneiform, a token a byte", "𒀀𒁀𒂀𒃀", 16],
  ["control characters", "\u0001\u0002\u0003", 3],
  ["half of a surrogate pair", "\ud800", 1],
])("the bound of a request is never below a tokenizer's count: %s", (_, text, tokens) => {
  for (const times of [1, 50]) expect(of(text.repeat(times))).toBeGreaterThanOrEqual(tokens * times);
});

test("system, prompt, schema and the longest answer count", () => {
  const bytes = 3 + 4 + JSON.stringify({ type: "object" }).length;
  expect(
    tokensMax({ system: "abc", prompt: "defg", schema: { json: { type: "object" } }, maxOutputTokens: 9 }),
  ).toEqual({
    inputTokens: 1_000 + bytes,
    outputTokens: 9,
  });
});
