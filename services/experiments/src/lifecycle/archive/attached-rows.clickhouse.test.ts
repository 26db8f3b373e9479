// Attachments, feedback and external evaluations of archived traces, which stay in PostgreSQL.

import { createHash } from "node:crypto";
import { expireArchived } from "@ems/archive";
import { Code } from "@ems/kit/errors";
import type { Tenant } from "@ems/kit/tenant";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { serviceHarness, testCall, testTenant } from "@ems/test-support";
import { archiveOptions } from "@ems/traces/archive";
import { tracesConfig } from "@ems/traces/config";
import { tracesSchema } from "@ems/traces/schema";
import { createTraces } from "@ems/traces/service";
import { expect, test } from "vitest";
import { addTraces, archiveHarness } from "../../../test/archive.ts";

const { sql, clock, archiveDue, operate, postgres, clickhouse, tracesPart, source } = await archiveHarness();
const service = await serviceHarness({
  schema: tracesSchema,
  config: tracesConfig,
  build: createTraces,
  // Keeps the service's own worker from archiving anything: tests archive explicitly.
  env: { ...clickhouse.env, ARCHIVE_AFTER_DAYS: "3650" },
  database: postgres,
});
const traces = service.client(TraceService);
const work = service.client(TraceWorkService);
const dayMs = 86_400_000;
const at = new Date(Math.floor(clock.now().getTime() / dayMs) * dayMs - 20 * dayMs);
const tables = ["trace_attachment", "attachment", "feedback", "external_evaluation"];

/** Adds a trace per list of contents, each with feedback and an external evaluation; returns the ids. */
async function add(tenant: Tenant, from: Date, ...contents: string[][]): Promise<string[]> {
  const { applicationId, orgId } = tenant;
  const earlier = await sql<{ id: string }>("SELECT id FROM traces.trace WHERE application_id = $1", [applicationId]);
  await addTraces(sql, applicationId, from, contents.length);
  const added = await sql<{ id: string }>(
    "SELECT id FROM traces.trace WHERE application_id = $1 AND id <> ALL ($2::uuid[]) ORDER BY created_at",
    [applicationId, earlier.map(({ id }) => id)],
  );
  const ids = added.map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    for (const content of contents[index] ?? []) {
      await sql(
        `WITH content AS (INSERT INTO traces.attachment VALUES ($1, $2, $3, 'text/plain', $4, $5, now()) ON CONFLICT DO NOTHING)
         INSERT INTO traces.trace_attachment VALUES ($1, $6, $2, now())`,
        [applicationId, hash(content), orgId, content.length, Buffer.from(content), id],
      );
    }
    await sql(
      `WITH feedback AS (INSERT INTO traces.feedback (application_id, id, org_id, trace_id, thumb, source, created_at)
         VALUES ($1, gen_random_uuid(), $2, $3, 'UP', 'API', now()))
       INSERT INTO traces.external_evaluation (application_id, id, org_id, trace_id, name, score, source, created_at)
         VALUES ($1, gen_random_uuid(), $2, $3, 'tone', 1, 'API', now())`,
      [applicationId, orgId, id],
    );
  }
  return ids;
}

const hash = (content: string) => createHash("sha256").update(content).digest("hex");
const countRows = async ({ applicationId }: Tenant) => {
  const counts = tables.map((table) => `(SELECT count(*)::int FROM traces.${table} WHERE application_id = $1)`);
  const [row] = await sql<{ counts: number[] }>(`SELECT ARRAY[${counts.join(", ")}] AS counts`, [applicationId]);
  return row?.counts;
};

test("attachments, feedback and external evaluations stay readable, and a restored trace has them", async () => {
  const tenant = testTenant();
  const call = () => testCall(tenant, 60_000);
  const [id = ""] = await add(tenant, at, ["a", "b"]);
  const read = async () => {
    const { data } = await traces.getTrace({ id }, call());
    const file = await traces.getTraceAttachment({ id, hash: hash("b") }, call());
    return [data?.attachments, data?.feedback, data?.externalEvaluations, Buffer.from(file.payload).toString()];
  };
  const before = await read();
  expect(before).toMatchObject([{ length: 2 }, { length: 1 }, { length: 1 }, "b"]);
  await archiveDue();
  expect(await sql("SELECT FROM traces.trace WHERE id = $1", [id])).toEqual([]);
  expect(await read()).toEqual(before);
  const { applicationId: application } = tenant;
  await operate((operator) => operator.restore({ application }, new AbortController().signal, () => undefined));
  expect(await sql("SELECT FROM traces.trace WHERE id = $1", [id])).toHaveLength(1);
  expect(await read()).toEqual(before);
});

test("a deletion of an archived trace deletes them, and keeps content that another trace has", async () => {
  const tenant = testTenant();
  const call = () => testCall(tenant, 60_000);
  const [first = "", second = ""] = await add(tenant, at, ["a", "shared"], ["shared"]);
  await archiveDue();
  expect(await countRows(tenant)).toEqual([3, 2, 2, 2]);
  await work.prepareErasure({ traceIds: [first] }, call());
  await work.eraseTraces({ traceIds: [first] }, call());
  expect(await countRows(tenant)).toEqual([1, 1, 1, 1]);
  const gone = { code: Code.NotFound, rawMessage: "Attachment not found" };
  await expect(traces.getTraceAttachment({ id: first, hash: hash("shared") }, call())).rejects.toMatchObject(gone);
  const stored = await traces.getTraceAttachment({ id: second, hash: hash("shared") }, call());
  expect(Buffer.from(stored.payload).toString()).toBe("shared");
});

test("retention deletes them with the archived traces, also those that arrived later", async () => {
  const [tenant, other] = [testTenant(), testTenant()];
  await add(tenant, at, ["a", "shared"]);
  await add(tenant, new Date(at.getTime() + 3 * dayMs), ["shared"]);
  await add(other, new Date(at.getTime() + 3 * dayMs), ["a"]);
  await archiveDue();
  const { database, relayDatabase, options } = tracesPart;
  expect(options).toBe(archiveOptions);
  const before = new Date(at.getTime() + dayMs);
  await expireArchived({ database, relayDatabase, source }, archiveOptions(), "traces", before);
  expect([await countRows(tenant), await countRows(other)]).toEqual([
    [1, 1, 1, 1],
    [1, 1, 1, 1],
  ]);
});
