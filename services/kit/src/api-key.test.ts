import fc from "fast-check";
import { expect, test } from "vitest";
import { formKey, isKey, keyBytes } from "./api-key.ts";

const bytes = fc.uint8Array({ minLength: keyBytes, maxLength: keyBytes }).map((array) => Buffer.from(array));

test("any 32 bytes make a well-formed key, and different bytes make different keys", () => {
  fc.assert(fc.property(bytes, (random) => isKey(formKey(random)) && /^ems_[0-9A-Za-z]{49}$/.test(formKey(random))));
  fc.assert(fc.property(bytes, bytes, (a, b) => a.equals(b) || formKey(a) !== formKey(b)));
  expect(isKey(formKey(Buffer.alloc(keyBytes, 0xff)))).toBe(true);
  expect(isKey(formKey(Buffer.alloc(keyBytes)))).toBe(true);
});

test("a key with one changed character is refused", () => {
  const key = formKey(Buffer.alloc(keyBytes, 7));
  for (let at = 0; at < key.length; at++) {
    const other = key[at] === "a" ? "b" : "a";
    expect(isKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
  for (const text of ["", "ems_", key.slice(1), `${key}0`, ` ${key}`, `${key}\n`]) expect(isKey(text)).toBe(false);
});
