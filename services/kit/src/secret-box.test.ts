import { expect, test } from "vitest";
import { secureRandom } from "./id.ts";
import { secretBox } from "./secret-box.ts";

const key = (id: string) => `${id}:${secureRandom(32).toString("base64")}`;

test("a sealed secret opens in its place and does not contain the text", () => {
  const box = secretBox(key("a"), secureRandom);
  const sealed = box.seal("whsec_text", "app/secret");
  expect(sealed).toMatch(/^a:/);
  expect(Buffer.from(sealed.slice(2), "base64").toString("latin1")).not.toContain("whsec");
  expect(box.seal("whsec_text", "app/secret")).not.toBe(sealed);
  expect(box.open(sealed, "app/secret")).toBe("whsec_text");
});

test("a sealed secret does not open in another place, after a change, or without its key", () => {
  const box = secretBox(key("a"), secureRandom);
  const sealed = box.seal("text", "app/secret");
  expect(() => box.open(sealed, "other/secret")).toThrow();
  const bytes = Buffer.from(sealed.slice(2), "base64");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => box.open(`a:${bytes.toString("base64")}`, "app/secret")).toThrow();
  expect(() => secretBox(key("b"), secureRandom).open(sealed, "app/secret")).toThrow("no key a");
});

test("a new key seals, and the previous one still opens", () => {
  const old = key("old");
  const sealed = secretBox(old, secureRandom).seal("text", "place");
  const both = secretBox(`${key("new")},${old}`, secureRandom);
  expect(both.open(sealed, "place")).toBe("text");
  expect(both.seal("text", "place")).toMatch(/^new:/);
});

test("a secret sealed for one purpose does not open for another", () => {
  const keys = key("a");
  const sealed = secretBox(keys, secureRandom, "models").seal("text", "place");
  expect(secretBox(keys, secureRandom, "models").open(sealed, "place")).toBe("text");
  expect(() => secretBox(keys, secureRandom).open(sealed, "place")).toThrow();
  expect(() => secretBox(keys, secureRandom, "webhooks").open(sealed, "place")).toThrow();
});
