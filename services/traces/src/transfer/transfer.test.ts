import { createHash, randomBytes } from "node:crypto";
import { newId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { TraceTransferService } from "@ems/proto/traces/v1/trace_transfer_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { otherTables, transferredTables } from "./tables.ts";

const harness = await tracesHarness();
const transfer = harness.client(TraceTransferService);
const traces = harness.client(TraceService);

test("each table of traces is transferred, or named with those that are not", async () => {
  const rows = await harness.database.sql(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'traces'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
  );
  const transferred = transferredTables.map(({ table }) => table);
  expect([...transferred, ...otherTables].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

const mib = 1024 ** 2;
const hash = (content: Buffer) => createHash("sha256").update(content).digest("hex");

/** Adds attachments to a trace, and returns its id. */
async function add({ applicationId, orgId }: Tenant, contents: readonly Buffer[]): Promise<string> {
  const id = newId();
  for (const content of contents)
    await harness.database.sql(
      `WITH content AS (INSERT INTO traces.attachment VALUES ($1, $2, $3, 'image/png', $4, $5, now()) ON CONFLICT DO NOTHING)
       INSERT INTO traces.trace_attachment VALUES ($1, $6, $2, now())`,
      [applicationId, hash(content), orgId, content.length, content, id],
    );
  return id;
}

async function exportAll(tenant: Tenant) {
  const pages = [];
  for (let after: string | undefined; ; ) {
    const { schema, tables, nextCursor } = await transfer.readTraceRows(
      after === undefined ? {} : { after },
      testCall(tenant),
    );
    if (tables.length > 0) pages.push({ schema, tables });
    if (nextCursor === undefined) return pages;
    after = nextCursor;
  }
}

test("attachments are transferred in pages of limited size, each once, and without those of archived traces", async () => {
  const [from, to] = [testTenant(), testTenant()];
  const small = Array.from({ length: 60 }, (_, index) => Buffer.from(`small ${index}`.padEnd(60)));
  const contents = [randomBytes(10 * mib), randomBytes(mib / 4), randomBytes(mib / 4 + 1), Buffer.alloc(mib), ...small];
  const archived = Buffer.from("archived".padEnd(60));
  const id = await add(from, contents);
  const archivedId = await add(from, [archived, ...small.slice(0, 1)]);
  await harness.database.sql("INSERT INTO traces.dropped_trace VALUES ($1, $2, now())", [
    from.applicationId,
    archivedId,
  ]);

  const pages = await exportAll(from);
  const sizes = pages.map(({ tables }) => tables.flatMap(({ rows }) => rows).join("").length);
  expect(Math.max(...sizes)).toBeLessThan(3_000_000);
  const importId = newId();
  for (const page of pages) for (const _ of [1, 2]) await transfer.importTraceRows({ importId, ...page }, testCall(to));
  const call = testCall(to, 60_000);
  for (const content of contents) {
    const { payload } = await traces.getTraceAttachment({ id, hash: hash(content) }, call);
    expect(hash(Buffer.from(payload))).toBe(hash(content));
  }
  const counts = await harness.database.sql(
    "SELECT (SELECT count(*)::int FROM traces.attachment WHERE application_id = $1) AS contents, (SELECT count(*)::int FROM traces.trace_attachment WHERE application_id = $1) AS uses",
    [to.applicationId],
  );
  expect(counts).toEqual([{ contents: contents.length, uses: contents.length }]);
});
