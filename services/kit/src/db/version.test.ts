import { testTenant } from "@ems/test-support";
import { describe, expect, test } from "vitest";
import { Code } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import type { IfMatch } from "../rpc/etag.ts";
import { bigint, integer, jsonb, nullable, type Row, table, text, timestamp, uuid } from "./table.ts";
import { linkVersions, rowVersions } from "./version.ts";

const columns = {
  applicationId: uuid,
  id: uuid,
  title: text,
  note: nullable(text),
  data: jsonb<unknown>(),
  bytes: bigint,
  uses: integer,
  modifiedAt: timestamp,
};
const Entity = table("catalog.thing", columns);
const row: Row<typeof Entity> = {
  applicationId: "019a7d3c-5e1f-7b64-9c1a-2f0d8e4b6a75",
  id: "019a7d3c-5e1f-7b64-9c1a-2f0d8e4b6a76",
  title: "a",
  note: null,
  data: { b: [{ d: 1, c: 2 }], a: null },
  bytes: "5",
  uses: 0,
  modifiedAt: new Date(0),
};
const versions = rowVersions(Entity, { except: ["uses"] });
const etag = versions.etag(row);
const callWith = (ifMatch?: IfMatch) => ({ tenant: testTenant(), ifMatch }) as unknown as Call;

test("an ETag is strong, and stays the same between releases", () => {
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  // Recorded value: if the computed one differs, an upgrade would change every ETag.
  expect(etag).toBe('"NG_inGh433RRrgiGeyItuM"');
});

test.each<[string, Partial<typeof row>]>([
  ["a text", { title: "b" }],
  ["a text that was null", { note: "" }],
  ["a nested value", { data: { b: [{ d: 1, c: 3 }], a: null } }],
  ["an order of values", { data: { b: [], a: [1, 2] } }],
  ["a number", { bytes: "6" }],
  ["a millisecond", { modifiedAt: new Date(1) }],
  ["an id", { id: "019a7d3c-5e1f-7b64-9c1a-2f0d8e4b6a77" }],
])("%s changes the ETag", (_what, change) => {
  expect(versions.etag({ ...row, ...change })).not.toBe(etag);
});

test.each<[string, object]>([
  ["a column that workers write", { uses: 9 }],
  ["a value computed for a response", { rate: 0.5 }],
  ["the order of a JSON value's keys, which PostgreSQL changes", { data: { a: null, b: [{ c: 2, d: 1 }] } }],
  ["the case of an id", { id: row.id.toUpperCase() }],
])("%s does not change the ETag", (_what, change) => {
  expect(versions.etag({ ...row, ...change })).toBe(etag);
});

test("a column that is added as null changes no ETag", () => {
  const More = table("catalog.thing", { ...columns, added: nullable(text) });
  expect(rowVersions(More, { except: ["uses"] }).etag({ ...row, added: null })).toBe(etag);
});

test("a row that lacks a column has no ETag", () => {
  const { title: _, ...part } = row;
  expect(() => versions.etag(part as typeof row)).toThrow("a version of thing without its column title");
});

describe("a change", () => {
  test.each<[string, IfMatch | undefined]>([
    ["without If-Match", undefined],
    ["of any version", "*"],
    ["of this version", [etag]],
    ["of one of several versions", ['"another"', etag]],
  ])("%s is allowed", (_what, ifMatch) => {
    expect(() => versions.check(callWith(ifMatch), row)).not.toThrow();
  });

  test.each<[string, IfMatch, typeof row | null]>([
    ["of another version", ['"another"'], row],
    ["of no version", [], row],
    ["of any version of a resource without a row", "*", null],
    ["of a version of a resource without a row", [etag], null],
  ])("%s is not allowed", (_what, ifMatch, stored) => {
    let thrown: unknown;
    try {
      versions.check(callWith(ifMatch), stored);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: Code.Aborted });
    expect((thrown as { metadata: Headers }).metadata.get("etag")).toBe(stored === null ? null : etag);
  });
});

test("a set of links has the same ETag in any order, and another set has another", () => {
  const links = linkVersions("task_tag");
  const ids = [row.id, row.applicationId];
  const set = links.etag({ ownerId: row.id, ids });
  expect(links.etag({ ownerId: row.id.toUpperCase(), ids: [...ids.toReversed(), row.id.toUpperCase()] })).toBe(set);
  expect(links.etag({ ownerId: row.id, ids: [row.id] })).not.toBe(set);
  expect(links.etag({ ownerId: row.applicationId, ids })).not.toBe(set);
  expect(linkVersions("document_tag").etag({ ownerId: row.id, ids })).not.toBe(set);
});
