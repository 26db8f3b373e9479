import { newId } from "@ems/kit/id";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listKeys, listWords, wordKeys, wordsToFind } from "./words.ts";

test.each([
  ["Where is my card?", ["where", "is", "my", "card"]],
  ["", []],
  ["-- ?!", []],
  ["don't e-mail ada@example.com", ["don", "t", "e", "mail", "ada", "example", "com"]],
  ["Ærø ÅRHUS Straße İstanbul", ["ærø", "århus", "straße", "i̇stanbul"]],
  ["Übe\u0072 Cafe\u0301", ["über", "café"]],
  ["日本語、テスト", ["日本語", "テスト"]],
  ["हिन्दी शब्द", ["हिन्दी", "शब्द"]],
  ["v2.1 1,000 x²", ["v2", "1", "1", "000", "x²"]],
  ['{"text":"line\\none \\u00e6ble \\"quoted\\""}', ["text", "line", "one", "æble", "quoted"]],
  ["C:\\new is no JSON", ["c", "new", "is", "no", "json"]],
  ['["unfinished \\n', ["unfinished", "n"]],
  ["👍 ok", ["ok"]],
])("the words of %j", (payload, words) => {
  expect([...listWords(payload)]).toEqual(words);
});

test("the keys of a payload are those of its words, for ASCII and other characters", () => {
  const keys = wordKeys(newId());
  const character = fc.constantFrom(...'aZ09 .\\n"{}é日\u0301'.split(""));
  const payload = fc.oneof(fc.string({ unit: character, maxLength: 60 }), fc.json(), fc.string());
  const holds = (text: string) => {
    expect([...listKeys(text, keys)]).toEqual([...listWords(text)].map(keys.getKey));
  };
  fc.assert(fc.property(payload, holds));
});

test("a search has the keys of its words, in any case and order, and of no other application", () => {
  const [ours, theirs] = [newId(), newId()];
  const { getKey, split } = wordKeys(ours);
  expect(wordsToFind(ours, "Card  LOST card")).toBe(`{${split},${getKey("card")},${getKey("lost")}}`);
  expect(wordsToFind(ours, '{"a":"b\\nc"}')).toBe(`{${[split, ...["a", "b", "nc"].map(getKey)]}}`);
  expect(wordsToFind(ours, "?!")).toBe(`{${split}}`);
  expect(wordKeys(theirs).getKey("card")).not.toBe(getKey("card"));
});

test("keys are whole numbers of 53 bits, and a million words have distinct keys", () => {
  const { getKey } = wordKeys(newId());
  const keys = new Set<number>();
  for (let index = 0; index < 1_000_000; index++) keys.add(getKey(`word${index}`));
  expect(keys.size).toBe(1_000_000);
  expect([...keys].every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true);
});
