import type { JsonValue } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSamePayload, parseBody } from "./verify.ts";

const json = fc.jsonValue({ stringUnit: "grapheme", maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
const event = fc.dictionary(fc.string({ unit: "grapheme" }), json).map((data) => ({ id: "id", data }));

/** Writes the same value in a different way: order of members, white space, escapes and exponents. */
function writtenAgain(value: JsonValue): string {
  if (Array.isArray(value)) return `[ ${value.map(writtenAgain).join(" ,\n")} ]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).reverse();
    return `{\t${members.map(([key, item]) => `${escaped(key)} : ${writtenAgain(item)}`).join(" , ")}}`;
  }
  if (typeof value === "string") return escaped(value);
  return typeof value === "number" ? value.toExponential() : JSON.stringify(value);
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, "0"));
  return `"${units.map((unit) => `\\u${unit}`).join("")}"`;
}

/** Returns all values that differ from `value` at one place. */
function changedSomewhere(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) {
    const inside = value.flatMap((item, at) => changedSomewhere(item).map((other) => value.with(at, other)));
    return [...inside, [...value, null]];
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    const inside = entries.flatMap(([key, item], at) => [
      ...changedSomewhere(item).map((other) => Object.fromEntries(entries.with(at, [key, other]))),
      Object.fromEntries(entries.toSpliced(at, 1)),
    ]);
    return [...inside, Object.fromEntries([...entries, ["one more", null]])];
  }
  if (typeof value === "string") return [`${value}x`, null];
  if (typeof value === "number") return [value === 0 ? 1 : -value, String(value)];
  return [value === null ? 0 : !value];
}

test("a reserialized body is the same", () => {
  fc.assert(
    fc.property(event, (value) => {
      const payload = JSON.stringify(value);
      for (const text of [payload, JSON.stringify(value, null, 2), writtenAgain(value)]) {
        expect(isSamePayload(parseBody(text) ?? null, payload)).toBe(true);
        expect(isSamePayload(JSON.parse(text), payload)).toBe(true);
      }
    }),
  );
});

test("a body with any value changed is not the same", () => {
  fc.assert(
    fc.property(event, (value) => {
      const payload = JSON.stringify(value);
      for (const other of changedSomewhere(JSON.parse(payload))) expect(isSamePayload(other, payload)).toBe(false);
    }),
  );
});

test("a text that is not JSON has no body", () => {
  for (const text of ["", "{", "undefined", "{'a': 1}"]) expect(parseBody(text)).toBeUndefined();
});
