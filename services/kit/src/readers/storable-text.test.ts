import { expect, test } from "vitest";
import { makeJsonStorable, makeStorable, type StorableText } from "./storable-text.ts";

const replaced = "\u{fffd}";

test.for([
  ["a text", "a text", 0],
  ["", "", 0],
  ["a\0b\0", `a${replaced}b${replaced}`, 2],
  ["\ud83d\ude00", "\ud83d\ude00", 0],
  ["\ud83d", replaced, 1],
  ["\ude00\ud83d", replaced.repeat(2), 2],
  ["\ud83d\ud83d\ude00\0", `${replaced}\ud83d\ude00${replaced}`, 2],
  [replaced, replaced, 0],
] as const)("%j is stored as %j, %d characters replaced", ([text, stored, characters]) => {
  const count = { replacedCharacters: 0 };
  expect(makeStorable(text, count)).toBe(stored);
  expect(count).toEqual({ replacedCharacters: characters });
  expect(makeStorable(stored, count)).toBe(stored);
  expect(count).toEqual({ replacedCharacters: characters });
});

test("JSON is made storable in its texts and names, and nothing else changes", () => {
  const count = { replacedCharacters: 1 };
  const json = { "k\0": ["\ud800", 1, null, true, { a: "b" }], ["__proto__"]: { "\udfff": "x\0" } };
  const stored = makeJsonStorable(json, count);
  expect(JSON.stringify(stored)).toBe(
    `{"k${replaced}":["${replaced}",1,null,true,{"a":"b"}],"__proto__":{"${replaced}":"x${replaced}"}}`,
  );
  expect(count).toEqual({ replacedCharacters: 5 });
});

test("a plain text does not compile where storable text is expected", () => {
  const store = (text: StorableText) => text;
  // @ts-expect-error: it may hold what PostgreSQL refuses.
  store("plain");
  expect(store(makeStorable("plain"))).toBe("plain");
});
