// Exports of archived traces and tests have the lines that they had before they were archived.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { exportLineBytesMax } from "@ems/proto/limits";
import { testCall, testClickhouse, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { addTests, addTraces } from "../../../test/archive.ts";
import { dropping } from "../../../test/dropped.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const clickhouse = await testClickhouse();
const harness = await experimentsHarness({ ...clickhouse.env, ARCHIVE_AFTER_DAYS: "3650" });
const { database, clock } = harness;
const { sql } = database;
const traces = harness.client(TraceService);
const tests = harness.client(TestService);
const archive = await dropping(clickhouse, database);
const dayMs = 86_400_000;
const at = new Date(Math.floor(clock.now().getTime() / dayMs) * dayMs - 2 * dayMs);
const end = new Date(at.getTime() + dayMs);

interface Page {
  readonly payload: Uint8Array;
  readonly next?: string | undefined;
}

/** Returns the lines, each with its cursor, and the number of pages. */
async function download(read: (after: string | undefined) => Promise<Page>, after?: string) {
  const lines: Record<string, unknown>[] = [];
  let pages = 1;
  for (let page = await read(after); ; page = await read(page.next), pages += 1) {
    const text = Buffer.from(page.payload).toString();
    lines.push(...text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)])));
    if (page.next === undefined) return { lines, pages };
  }
}

const withoutCursors = (lines: Record<string, unknown>[]) => lines.map(({ cursor: _, ...line }) => line);

test("traces: pages, a trace in several lines, filters, and the rest after a cursor", async () => {
  const tenant = testTenant();
  const { applicationId } = tenant;
  await addTraces(sql, applicationId, at, 60);
  const [large] = await sql<{ id: string }>(
    "SELECT id FROM traces.trace WHERE application_id = $1 ORDER BY created_at OFFSET 55 LIMIT 1",
    [applicationId],
  );
  const values = [applicationId, large?.id, exportLineBytesMax];
  await sql("UPDATE traces.trace SET bytes = $3 * 2 WHERE application_id = $1 AND id = $2", values);
  await sql("UPDATE traces.trace_step SET size = $3 WHERE application_id = $1 AND trace_id = $2", values);
  const read = (request: Parameters<typeof traces.downloadTraces>[0], from?: string) =>
    download((after) => traces.downloadTraces({ ...request, ...(after && { after }) }, testCall(tenant, 60_000)), from);
  const before = await read({});
  expect(before.lines).toHaveLength(61);
  await archive(applicationId, "traces", at, end);
  expect((await read({})).lines).toEqual([]);
  const archived = await read({ store: "archive" });
  expect(withoutCursors(archived.lines)).toEqual(withoutCursors(before.lines));
  expect(archived.pages).toBe(before.pages);
  for (const index of [40, 56]) {
    const rest = await read({ store: "archive" }, String(archived.lines[index]?.cursor));
    expect(rest.lines).toEqual(archived.lines.slice(index + 1));
  }
  const failed = await read({ store: "archive", hasError: true });
  expect(failed.lines).toHaveLength(30);
  const none = await read({ store: "archive", createdUntil: timestampFromDate(new Date(at.getTime() - 1)) });
  expect(none.lines).toEqual([]);
  const { rows } = await traces.downloadTraces({ store: "archive", format: "parquet" }, testCall(tenant, 60_000));
  expect(rows).toHaveLength(100);
  // A cursor belongs to one store.
  const elsewhere = read({}, String(archived.lines[0]?.cursor));
  await expect(elsewhere).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect(
    (
      await download((after) =>
        traces.downloadTraces({ store: "archive", ...(after && { after }) }, testCall(testTenant())),
      )
    ).lines,
  ).toEqual([]);
});

test("tests with their evaluations, in several pages", async () => {
  const tenant = testTenant();
  await addTests(sql, tenant.applicationId, at, 120);
  const read = (request: Parameters<typeof tests.downloadTests>[0], from?: string) =>
    download((after) => tests.downloadTests({ ...request, ...(after && { after }) }, testCall(tenant, 60_000)), from);
  const before = await read({});
  expect(before.lines).toHaveLength(120);
  await archive(tenant.applicationId, "results", at, end);
  expect((await read({})).lines).toEqual([]);
  const archived = await read({ store: "archive" });
  expect(withoutCursors(archived.lines)).toEqual(withoutCursors(before.lines));
  expect(archived.pages).toBeGreaterThan(1);
  const rest = await read({ store: "archive" }, String(archived.lines[100]?.cursor));
  expect(rest.lines).toEqual(archived.lines.slice(101));
  const tagged = tests.downloadTests({ store: "archive", tagId: ["__none__"] }, testCall(tenant));
  await expect(tagged).rejects.toMatchObject({ code: Code.InvalidArgument });
});
