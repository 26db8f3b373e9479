import { newId } from "@ems/kit/id";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addKeys, listWords, searchKeys, type WordKeys, wordKeys, wordsToFind } from "./words.ts";

test.each([
  ["Where is my card?", ["where", "is", "my", "card"]],
  ["", []],
  ["-- ?!", []],
  ["don't e-mail ada@example.com", ["don", "t", "e", "mail", "ada", "example", "com"]],
  ["Ærø ÅRHUS Straße", ["ærø", "århus", "strasse"]],
  ["İstanbul ISTANBUL ıstanbul", ["istanbul", "istanbul", "istanbul"]],
  ["ΟΔΟΣ οδός", ["οδοσ", "οδόσ"]],
  ["ＡＢＣ１２", ["abc12"]],
  ["Übe\u0072 Cafe\u0301", ["über", "café"]],
  ["日本、テスト", ["日", "日本", "本", "テ", "テス", "ス", "スト", "ト"]],
  ["iPhoneを3台", ["iphone", "を", "3", "台"]],
  ["ฉันทำบัตรเครดิตหาย", ["ฉัน", "ทำ", "บัตร", "เครดิต", "หาย"]],
  ["हिन्दी शब्द", ["हिन्दी", "शब्द"]],
  ["v2.1 1,000 x²", ["v2", "1", "1", "000", "x2"]],
  ['{"text":"line\\none \\u00e6ble \\"quoted\\""}', ["text", "line", "one", "æble", "quoted"]],
  ["C:\\new is no JSON", ["c", "new", "is", "no", "json"]],
  ['["unfinished \\n', ["unfinished", "n"]],
  ["👍 ok", ["ok"]],
])("the words of %j", (payload, words) => {
  expect([...listWords(payload)]).toEqual(words);
});

function collectKeys(payload: string, keys: WordKeys): Set<number> {
  const found = new Set<number>();
  for (const _pause of addKeys(payload, keys, found, 1_000_000));
  return found;
}

test("the keys of a payload are those of its words, for ASCII and other characters", () => {
  const keys = wordKeys(newId());
  const character = fc.constantFrom(...'aZ09 .\\n"{}é日\u0301'.split(""));
  const payload = fc.oneof(fc.string({ unit: character, maxLength: 60 }), fc.json(), fc.string());
  const holds = (text: string) => {
    const beginnings = (found: string) => {
      const end = Math.min(/^[\p{L}\p{M}]*/u.exec(found)?.[0].length ?? 0, 10);
      return Array.from({ length: Math.max(0, end - 2) }, (_, index) => keys.getPrefixKey(found.slice(0, index + 3)));
    };
    const expected = [...listWords(text)].flatMap((found) => [keys.getKey(found), ...beginnings(found)]);
    expect(collectKeys(text, keys)).toEqual(new Set(expected));
  };
  fc.assert(fc.property(payload, holds));
});

test.each([
  ["plain ASCII", "card "],
  ["other characters", "kørt "],
])("a long payload of the same words pauses for other requests: %s", (_, word) => {
  const found = new Set<number>();
  const pauses = [...addKeys(word.repeat(20_000), wordKeys(newId()), found, 1_000_000)];
  expect(pauses.length).toBeGreaterThan(3);
  expect(found.size).toBe(1 + word.trim().length - 2);
});

test("keys beyond the maximum are left out, up to those of the last word", () => {
  const found = new Set<number>();
  for (const _pause of addKeys("one two three four five", wordKeys(newId()), found, 3));
  expect(found.size).toBe(4);
});

test("a search has the keys of its words, in any case and order, and of no other application", () => {
  const [ours, theirs] = [newId(), newId()];
  const { getKey, getPrefixKey, split } = wordKeys(ours);
  expect(wordsToFind(ours, "Card  LOST card")).toBe(`{${split},${getKey("card")},${getKey("lost")}}`);
  expect(wordsToFind(ours, '{"a":"b\\nc"}')).toBe(`{${[split, ...["a", "b", "nc"].map(getKey)]}}`);
  expect(wordsToFind(ours, "?!")).toBe(`{${split}}`);
  expect(wordsToFind(ours, "card*")).toBe(`{${split},${getPrefixKey("card")}}`);
  expect(getPrefixKey("card")).not.toBe(getKey("card"));
  for (const search of ["ca*", "card1*", "1*"]) expect(() => wordsToFind(ours, search)).toThrow("Invalid request data");
  expect(wordKeys(theirs).getKey("card")).not.toBe(getKey("card"));
});

test("keys are whole numbers of 53 bits, and a million words have distinct keys", () => {
  const { getKey } = wordKeys(newId());
  const keys = new Set<number>();
  for (let index = 0; index < 1_000_000; index++) keys.add(getKey(`word${index}`));
  expect(keys.size).toBe(1_000_000);
  expect([...keys].every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true);
});

test.each([
  ["Rückerstattungen dauern", ["rückerstattungen", "Rückerstatt*", "RÜCK*", "rückerstattungen*"], ["rückerstatt"]],
  ["İADE ve ılık ISPARTA", ["iade", "İade", "ILIK", "ısparta", "isp*"], ["iad"]],
  ["我要申请退款，谢谢", ["退款", "申请", "退款申请", "谢", "我要申请退款", "退款*"], ["退货"]],
  ["払い戻しを東京都庁でお願いします", ["払い戻し", "東京", "都庁", "お願い"], ["大阪"]],
  ["ขอคืนเงินค่าสินค้า", ["คืนเงิน", "สินค้า", "ค่า"], ["บัตร"]],
  ["STRASSE", ["straße"], []],
  ["카드를 분실했습니다", ["카드를", "분실했*"], ["카드"]],
  ['"\\u00fcber \\u9000\\u6b3e"', ["über", "退款"], []],
])("%j is found by its words and beginnings", (payload, matching, absent) => {
  const id = newId();
  const keys = collectKeys(payload, wordKeys(id));
  const isFound = (search: string) => searchKeys(id, search).every((key) => keys.has(key));
  expect(matching.filter((search) => !isFound(search))).toEqual([]);
  expect(absent.filter(isFound)).toEqual([]);
});
