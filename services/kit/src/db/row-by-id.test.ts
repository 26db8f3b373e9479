import { testTenant } from "@ems/test-support";
import { EntitySchema } from "typeorm";
import { expect, test } from "vitest";
import { monotonicMs } from "../clock.ts";
import { rowById } from "./row-by-id.ts";

const id = { type: "uuid", primary: true } as const;
const tenant = testTenant();
const call = {
  tenant,
  caller: "test",
  requestId: "r",
  deadlineMs: monotonicMs() + 1_000,
  signal: new AbortController().signal,
};
const createEntity = (columns: Record<string, { type: "uuid"; primary?: true; name?: string }>) =>
  new EntitySchema<object>({ name: "thing", tableName: "thing", schema: "catalog", columns: { id, ...columns } });

test("a row is found by its application, or by its organization if the table has no application", () => {
  const inApplication = rowById(
    createEntity({ applicationId: { type: "uuid", primary: true, name: "application_id" } }),
    "x",
  );
  expect(inApplication.statement(call, "1")).toMatchObject({
    text: expect.stringContaining("WHERE thing.application_id = $1 AND thing.id = $2"),
    values: [tenant.applicationId, "1"],
  });
  expect(rowById(createEntity({ orgId: { type: "uuid", name: "org_id" } }), "x").statement(call, "1")).toMatchObject({
    text: expect.stringContaining("WHERE thing.org_id = $1 AND thing.id = $2"),
    values: [tenant.orgId, "1"],
  });
});
