// Traces past their retention are hidden immediately, and deleted in batches and by month.

import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { beginDeletion, keptSince } from "@ems/kit/retention";
import type { Tenant } from "@ems/kit/tenant";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { tracesSchema } from "../schema.ts";
import { oldTraces } from "./delete-oldest.ts";
import { tracesRetention } from "./index.ts";

const days = 30;
const { client, clock, database, tenant } = await tracesHarness({ RETENTION_DAYS_TRACES: String(days) });
const log = createLog("retention", "silent");
const source = serviceDataSource({ url: database.getUrl(tracesSchema), poolMax: 4, schema: tracesSchema, log });
await source.initialize();
const relayUrl = database.getRelayUrl(tracesSchema);
const relayDatabase = new RelayDatabase({ schema: tracesSchema, url: relayUrl, poolMax: 2, log });
afterAll(async () => {
  await relayDatabase.close();
  await source.destroy();
});
const deps = { database: new Database(source), relayDatabase, clock, log, expireArchived: async () => 0 };
const retention = tracesRetention(days, deps);

const [ingest, traces] = [client(IngestService), client(TraceService)];
const other = testTenant();
const now = new Date();
const border = keptSince(now, days);
const setClock = (at: Date) => clock.advance(at.getTime() - clock.now().getTime());
const dayMs = 86_400_000;
const toValue = (json: JsonValue) => fromJson(ValueSchema, json);

/** Adds a trace with one step, created at the given time. */
async function add(at: Date, by: Tenant = tenant) {
  setClock(at);
  const traceId = newId();
  const events = [
    { type: "trace", traceId, metadata: toValue({ region: "eu" }) },
    { type: "log", traceId, input: toValue(`said ${traceId}`) },
  ];
  const { data } = await ingest.ingestEvents({ events }, testCall(by));
  expect(data.map(({ error }) => error)).toEqual([undefined, undefined]);
  return traceId;
}

const countRows = async (table: string, by: Tenant) => {
  const [row] = await database.sql<{ number: number }>(
    `SELECT count(*)::int AS number FROM traces.${table} WHERE application_id = $1`,
    [by.applicationId],
  );
  return row?.number;
};
const tables = ["trace", "trace_step", "trace_words", "trace_metadata"];
const allRows = (by: Tenant = tenant) => Promise.all(tables.map((table) => countRows(table, by)));
const total = async (by: Tenant = tenant) => {
  const { data, pagination } = await traces.listTraces({}, testCall(by));
  return [data.length, Number(pagination?.total)];
};
const months = () =>
  database.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'traces'::regnamespace AND relkind = 'r'
       AND relname ~ '(trace_step|trace_words)_[0-9]{4}_[0-9]{2}$' AND to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= $1`,
    [border],
  );

let [ancient, old, young] = ["", "", ""];

beforeAll(async () => {
  // The service hides old rows by the database's clock and deletes them by its own. The test adds rows that are old for
  // the database, but not yet for the service.
  const cleared = () =>
    database.sql("SELECT FROM traces.retention WHERE kind = 'traces' AND cleared_before > '-infinity'");
  await vi.waitFor(async () => expect(await cleared()).toHaveLength(1), { timeout: 20_000 });
  await database.sql("DROP POLICY kept ON traces.trace");
  ancient = await add(new Date(border.getTime() - 60 * dayMs));
  old = await add(new Date(border.getTime() - 1));
  await add(new Date(border.getTime() - 1), other);
  young = await add(border);
  await add(border, other);
  const jobs = () => database.sql("SELECT FROM traces.search_job");
  await vi.waitFor(async () => expect(await jobs()).toEqual([]), { timeout: 20_000 });
  // Feedback whose trace is archived or never arrived.
  await database.sql(
    `INSERT INTO traces.feedback (application_id, id, org_id, trace_id, source, created_at)
     SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), 'OTLP', at FROM unnest($3::timestamptz[]) AS at`,
    [tenant.applicationId, tenant.orgId, [new Date(border.getTime() - 1), border]],
  );
  setClock(new Date(border.getTime() - 90 * dayMs));
  await retention.run();
  setClock(now);
}, 60_000);

test("from midnight on, a trace past its retention is hidden, whether it was deleted or not; totals exclude it, too", async () => {
  expect(await allRows()).toEqual([3, 3, 3, 3]);
  expect([await total(), await total(other)]).toEqual([
    [1, 1],
    [1, 1],
  ]);
  const get = (id: string) => traces.getTrace({ id }, testCall(tenant));
  await expect(get(ancient)).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Trace not found" });
  await expect(get(old)).rejects.toMatchObject({ code: Code.NotFound });
  expect((await get(young)).data?.traceId).toBe(young);
});

test("a step of a trace past its retention is rejected alone", async () => {
  const events = [old, young].map((traceId) => ({ type: "log", traceId }));
  const { data } = await ingest.ingestEvents({ events }, testCall(tenant));
  expect(data.map(({ error }) => error)).toEqual(["The trace is past the retention of traces", undefined]);
});

test("batches are found by the index of time, whatever the number of other rows", async () => {
  await database.sql(
    `INSERT INTO traces.trace (application_id, id, org_id, timestamp, metadata, created_at, type, is_root_child, has_error, steps, bytes,
       step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, modified_at)
     SELECT $1, gen_random_uuid(), 'o', $2, '{}', $2, 'group', false, false, 0, 0, 0, 0, 0, 0, 0, 0, $2 FROM generate_series(1, 5000)`,
    [newId(), border],
  );
  await database.sql("ANALYZE traces.trace");
  const plan = await deps.database.withScope(
    { applicationId: tenant.applicationId },
    Date.now() + 10_000,
    async (tx) => {
      tx.defer(beginDeletion);
      const lines = await tx.query<{ "QUERY PLAN": string }>(`EXPLAIN ${oldTraces}`, [
        tenant.applicationId,
        border,
        null,
      ]);
      return lines.map((line) => line["QUERY PLAN"]).join(" ");
    },
  );
  expect(plan).toContain("trace_created");
  expect(plan).not.toContain("Seq Scan");
});

test("the next process deletes the rows that a stopped process left: months as a whole, other tenants' rows individually", async () => {
  expect((await months()).length).toBeGreaterThan(0);
  const stopping = new AbortController();
  const stopped = retention.run(stopping.signal);
  stopping.abort();
  await stopped;
  expect(await total()).toEqual([1, 1]);
  await relayDatabase.query({ text: "SELECT traces.detach_expired('traces', now())" });
  await retention.run();
  expect(await allRows()).toEqual([1, 2, 1, 1]);
  expect(await allRows(other)).toEqual([1, 1, 1, 1]);
  expect(await countRows("feedback", tenant)).toBe(1);
  expect(await months()).toEqual([]);
  expect([await total(), await total(other)]).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

test("deleted rows are counted once", async () => {
  const states = () =>
    database.sql("SELECT kind, days, deleted::int, cleared_before FROM traces.retention WHERE kind = 'traces'");
  const before = await states();
  expect(before).toEqual([{ kind: "traces", days, deleted: 3, cleared_before: border }]);
  await retention.run();
  expect(await states()).toEqual(before);
});

test("a day later the next day is deleted; a longer retention restores nothing", async () => {
  setClock(new Date(now.getTime() + dayMs));
  await retention.run();
  expect(await allRows()).toEqual([0, 0, 0, 0]);
  const longer = tracesRetention(90, deps);
  await longer.run();
  expect(longer.since("traces")).toEqual(new Date(border.getTime() + dayMs));
});
