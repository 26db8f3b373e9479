import { expect, test } from "vitest";
import { newDraft, toNewKey, validateKey } from "./new-key-draft.ts";

test.each([
  ["everything", []],
  ["read", ["read"]],
  ["telemetry", ["otlp:write", "ingest:write"]],
  ["chosen", ["task:read"]],
] as const)("a key for %s has the scopes %j", (purpose, scopes) => {
  expect(toNewKey({ ...newDraft, purpose, scopes: ["task:read"] }).scopes).toEqual(scopes);
});

test("a key without a last day does not expire; one with a last day is valid until its end", () => {
  expect(toNewKey(newDraft).expiresAt).toBeNull();
  const end = new Date(toNewKey({ ...newDraft, lastDay: "2090-12-31" }).expiresAt ?? "");
  expect([end.getFullYear(), end.getMonth(), end.getDate(), end.getHours()]).toEqual([2090, 11, 31, 23]);
});

test("chosen scopes are at least one", () => {
  expect(validateKey({ ...newDraft, purpose: "chosen" })).toEqual({ scopes: "Choose at least one" });
  expect(validateKey({ ...newDraft, purpose: "chosen", scopes: ["read"] })).toEqual({});
  expect(validateKey(newDraft)).toEqual({});
});
