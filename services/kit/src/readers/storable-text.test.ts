import { expect, test } from "vitest";
import { parseJson } from "../json/exact-number.ts";
import {
  makeJsonStorable,
  makeJsonTextStorable,
  makeStorable,
  makeWrittenJsonStorable,
  type StorableText,
} from "./storable-text.ts";

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

test("JSON is made storable in its texts and names, without other changes", () => {
  const count = { replacedCharacters: 1 };
  const json = { "k\0": ["\ud800", 1, null, true, { a: "b" }], ["__proto__"]: { "\udfff": "x\0" } };
  const stored = makeJsonStorable(json, count);
  expect(JSON.stringify(stored)).toBe(
    `{"k${replaced}":["${replaced}",1,null,true,{"a":"b"}],"__proto__":{"${replaced}":"x${replaced}"}}`,
  );
  expect(count).toEqual({ replacedCharacters: 5 });
});

test.for([
  [String.raw`[{"role":"user","content":"a\u0000"}]`, `[{"role":"user","content":"a${replaced}"}]`, 1],
  [String.raw`{"\ud800":"\uDFFF\ud83d"}`, `{"${replaced}":"${replaced}${replaced}"}`, 3],
  [String.raw`["\ud83d\ude00","\\u0000","\n"]`, String.raw`["\ud83d\ude00","\\u0000","\n"]`, 0],
  [String.raw`["\\\u0000\ud83d\u0041"]`, String.raw`["\\${"\u{fffd}"}${"\u{fffd}"}\u0041"]`, 2],
  [`["\0\ud800"]`, `["${replaced}${replaced}"]`, 2],
  ["[see \\u0000]", "[see \\u0000]", 0],
  ["no JSON \\u0000", "no JSON \\u0000", 0],
] as const)("the JSON text %j is stored as %j, %d characters replaced", ([text, stored, characters]) => {
  const count = { replacedCharacters: 0 };
  expect(makeJsonTextStorable(text, count)).toBe(stored);
  expect(count).toEqual({ replacedCharacters: characters });
});

test("JSON without such escapes is returned unchanged, including the spelling of numbers", () => {
  const json = { a: ["b", "\\u0000"] };
  const count = { replacedCharacters: 0 };
  expect(makeWrittenJsonStorable(json, JSON.stringify({ a: 1 }), count)).toBe(json);
  expect(makeWrittenJsonStorable(json, JSON.stringify(json), count)).toEqual(json);
  expect(count).toEqual({ replacedCharacters: 0 });
  const exact = parseJson("[12345678901234567890]");
  expect(JSON.stringify(makeJsonStorable([exact, "\0"]))).toBe(`[[12345678901234567890],"${replaced}"]`);
});

test("plain text does not compile in place of storable text", () => {
  const store = (text: StorableText) => text;
  // @ts-expect-error: it may contain characters that PostgreSQL rejects.
  store("plain");
  expect(store(makeStorable("plain"))).toBe("plain");
});
