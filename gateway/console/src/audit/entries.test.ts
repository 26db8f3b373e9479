import { expect, test } from "vitest";
import type { AuditEntry } from "./audit-requests.ts";
import { changesOfEntry, formatOperation, nameOfEntry } from "./entries.ts";
import { pageOfEntry } from "./resources.ts";

type LoggedChange = AuditEntry["changes"][number];

const entry = (...changes: Partial<LoggedChange>[]): AuditEntry => ({
  id: "e",
  createdAt: "2026-01-01T00:00:00.000Z",
  resource: "topic",
  entityId: "t",
  action: "UPDATED",
  operation: "ems.catalog.v1.TopicService/UpdateTopic",
  keyId: null,
  caller: null,
  userId: "u",
  requestId: "r",
  changes: changes.map((change) => ({ field: "title", isSecret: false, ...change })),
});

test.each([
  ["the name after the change", entry({ before: "Old", after: "New" }), "New"],
  ["the name of what was deleted", entry({ before: "Old" }), "Old"],
  ["the best name of several", entry({ field: "email", after: "a@b.c" }, { field: "name", after: "Ada" }), "Ada"],
  ["no name for a resource without one", entry({ field: "baseline", after: 0.5 }), undefined],
  ["no name for an erased resource", entry({}), undefined],
])("%s", (_, named, name) => {
  expect(nameOfEntry(named)).toBe(name);
});

test.each([
  ["a text and nothing", { before: null, after: "a" }, { before: undefined, after: "a" }],
  ["numbers", { before: 0, after: 0.5 }, { before: "0", after: "0.5" }],
  ["a list", { after: ["a"] }, { after: '[\n  "a"\n]' }],
  ["a long text", { after: { bytes: 5000, sha256: "ab" } }, { after: "5,000 bytes with the SHA-256 digest ab" }],
  ["an object that has more than a digest", { after: { bytes: 1, sha256: "ab", c: 1 } }, {}],
  ["a secret", { isSecret: true }, { withheld: "Secret, not logged" }],
  ["an erased value", {}, { withheld: "Erased" }],
])("%s", (_, change, displayed) => {
  const [found] = changesOfEntry(entry(change));
  expect(found).toMatchObject({ name: "title", isChanged: true, ...displayed });
  if (found?.withheld !== undefined) expect(found.after).toBeUndefined();
});

test("an operation is named by service and method", () => {
  expect(formatOperation(entry())).toBe("TopicService/UpdateTopic");
});

test.each([
  ["an existing resource has its page", { resource: "task", action: "UPDATED" }, "/tasks/$taskId"],
  ["a deleted resource has none", { resource: "task", action: "DELETED" }, undefined],
  ["an unlinked resource still has its page", { resource: "task-tag", action: "DELETED" }, "/tasks/$taskId"],
  ["an unknown kind has none", { resource: "toString", action: "CREATED" }, undefined],
])("%s", (_, { resource, action }, to) => {
  expect(pageOfEntry({ resource, entityId: "x", action })?.to).toBe(to);
});
