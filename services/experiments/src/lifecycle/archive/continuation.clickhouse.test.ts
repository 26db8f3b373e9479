// Steps that arrive after their trace was archived.

import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ErasureService } from "@ems/proto/experiments/v1/erasure_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testClickhouse, testTenant } from "@ems/test-support";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { dropping } from "../../../test/dropped.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const clickhouse = await testClickhouse();
const harness = await experimentsHarness({ ...clickhouse.env, ARCHIVE_AFTER_DAYS: "3650" });
const { database, clock } = harness;
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);
const archive = await dropping(clickhouse, database);
const dayMs = 86_400_000;
const value = (json: JsonValue) => fromJson(ValueSchema, json);

/** Creates an application with an archived trace of two steps; returns it with the id of the trace's test. */
async function archivedTrace(metadata: JsonObject = { city: "Oslo" }) {
  const tenant = testTenant();
  const call = () => testCall(tenant, 60_000);
  const traceId = newId();
  const testId = newId();
  const steps = [newId(), "second"].map((id) => ({ type: "log", id, input: value(`step ${id}`) }));
  const whole = { type: "trace", traceId, testId, metadata: value(metadata), steps };
  const send = (...events: object[]) => ingest.ingestEvents({ events: events as never }, call());
  await send(whole);
  await expect.poll(async () => (await database.sql("SELECT FROM traces.search_job")).length).toBe(0);
  const now = clock.now().getTime();
  const move = () => archive(tenant.applicationId, "traces", new Date(now - dayMs), new Date(now + 1));
  await move();
  clock.advance(2 * dayMs);
  const rows = () =>
    database.sql<{ id: string; continues: string; test_id: string | null; steps: number }>(
      "SELECT id, continues, test_id, steps FROM traces.trace WHERE application_id = $1",
      [tenant.applicationId],
    );
  return { tenant, call, traceId, testId, whole, send, rows };
}

test("late steps go to one continuation of the archived trace; the response has its id, and both traces are linked", async () => {
  const { call, traceId, send, rows } = await archivedTrace();
  const late = { type: "log", traceId, id: newId(), input: value("late") };
  const first = await send(late);
  const [continuation] = await rows();
  expect(first.data).toMatchObject([{ success: true, id: continuation?.id }]);
  expect(await rows()).toEqual([
    { id: expect.not.stringMatching(traceId), continues: traceId, test_id: null, steps: 1 },
  ]);
  // One step that was sent before, and a new one.
  await send(late, { type: "log", traceId, id: newId(), input: value("later") });
  expect(await rows()).toMatchObject([{ id: continuation?.id, steps: 2 }]);
  const { data: old } = await traces.getTrace({ id: traceId }, call());
  const { data: next } = await traces.getTrace({ id: continuation?.id ?? "" }, call());
  expect([old?.continuedBy, old?.continues, old?.stepCount]).toEqual([continuation?.id, undefined, 2n]);
  expect([next?.continues, next?.continuedBy, next?.stepCount]).toEqual([traceId, undefined, 2n]);
  const { data: listed } = await traces.listTraces({ store: "archive" }, call());
  expect(listed.map(({ id, continuedBy }) => [id, continuedBy])).toEqual([[traceId, continuation?.id]]);
});

test("resending a whole archived trace changes nothing", async () => {
  const { call, traceId, whole, send, rows } = await archivedTrace();
  const { data } = await send(whole);
  expect(data).toMatchObject([{ success: true, id: traceId }]);
  expect(await rows()).toEqual([]);
  expect((await traces.getTrace({ id: traceId }, call())).data?.stepCount).toBe(2n);
});

test("a resent trace with more steps stores the new ones, with the trace's description and without its test", async () => {
  const { call, traceId, whole, send, rows } = await archivedTrace();
  const more = { ...whole, steps: [...whole.steps, { type: "log", id: "third", input: value("new") }], totalCost: 7 };
  const { data } = await send(more);
  const [row] = await rows();
  expect(row).toMatchObject({ continues: traceId, test_id: null, steps: 1 });
  expect(data).toMatchObject([{ success: true, id: row?.id }]);
  const { data: found } = await traces.getTrace({ id: row?.id ?? "" }, call());
  expect(found?.totalCost).toBeUndefined();
  expect(found?.metadata?.kind.case).toBe("structValue");
  expect(await database.sql("SELECT FROM traces.trace_settling WHERE trace_id = $1", [row?.id])).toEqual([]);
});

test("a continuation belongs to the archived trace's end user and is listed and erased with their traces", async () => {
  const { call, whole, send, rows } = await archivedTrace({ user_id: "u-7" });
  await send({ type: "log", traceId: whole.traceId, id: newId(), input: value("late") });
  const [continuation] = await rows();
  const { data } = await traces.listTraces({ user: "u-7" }, call());
  expect(data.map(({ id }) => id)).toEqual([continuation?.id]);
  const { found } = await harness.client(ErasureService).createErasure({ user: "u-7", dryRun: true }, call());
  expect(found).toMatchObject({ traces: 2n, steps: 3n });
});

test("an event that only describes an archived trace is refused, and the request's other events are stored", async () => {
  const { traceId, send, rows } = await archivedTrace();
  const { data } = await send(
    { type: "trace", traceId, metadata: value({ city: "Bergen" }) },
    { type: "log", input: value("of another trace") },
  );
  expect(data).toMatchObject([
    { success: false, error: expect.stringContaining("in the archive, which is read-only") },
    { success: true },
  ]);
  expect(await rows()).toHaveLength(1);
});

test("an archived continuation is continued in turn", async () => {
  const { tenant, call, traceId, send, rows } = await archivedTrace();
  const late = { type: "log", traceId, id: newId(), input: value("late") };
  await send(late);
  const [first] = await rows();
  const now = clock.now().getTime();
  await archive(tenant.applicationId, "traces", new Date(now - dayMs), new Date(now + 1));
  clock.advance(2 * dayMs);
  await send(late, { type: "log", traceId, id: newId(), input: value("later") });
  expect(await rows()).toMatchObject([{ continues: first?.id, steps: 1 }]);
  const { data } = await traces.getTrace({ id: first?.id ?? "" }, call());
  expect([data?.continues, data?.continuedBy]).toEqual([traceId, (await rows())[0]?.id]);
});

test("a trace archived while a request adds to it is continued", async () => {
  const { tenant, send, rows } = await archivedTrace();
  const other = newId();
  await send({ type: "log", traceId: other, id: newId(), input: value("first") });
  // Evicts the trace as the worker does, in a transaction that the request has to wait for.
  const worker = new pg.Client({ connectionString: database.superuserUrl });
  await worker.connect();
  onTestFinished(() => worker.end());
  await worker.query(`BEGIN;
    DELETE FROM traces.trace_step WHERE trace_id = '${other}';
    DELETE FROM traces.trace WHERE id = '${other}';
    INSERT INTO traces.dropped_trace (application_id, id, created_at) VALUES ('${tenant.applicationId}', '${other}', now())`);
  const adding = send({ type: "log", traceId: other, id: newId(), input: value("second") });
  await expect
    .poll(() => database.sql("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"), { timeout: 10_000 })
    .not.toHaveLength(0);
  await worker.query("COMMIT");
  expect((await adding).data).toMatchObject([{ success: true }]);
  expect(await rows()).toMatchObject([{ continues: other, steps: 1 }]);
});

test("late spans of an archived trace go to its continuation too", async () => {
  const { call, traceId, rows } = await archivedTrace();
  const span = (spanId: string) => ({
    traceId: traceId.replaceAll("-", ""),
    spanId,
    name: "late",
    startTimeUnixNano: `${clock.now().getTime()}000000`,
    endTimeUnixNano: `${clock.now().getTime() + 5}000000`,
  });
  const payload = Buffer.from(
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span("00f067aa0ba902b7")] }] }] }),
  );
  for (let repeated = 0; repeated < 2; repeated += 1) {
    const answer = await harness.client(OtlpService).exportTraces({ payload, contentType: "application/json" }, call());
    expect(Buffer.from(answer.payload).toString()).not.toContain("rejected");
  }
  expect(await rows()).toMatchObject([{ continues: traceId, steps: 1 }]);
});

test("a change of an archived trace is refused with the command that restores it", async () => {
  const { call, tenant, traceId } = await archivedTrace();
  const refused = traces.createTaskFromTrace({ traceId }, call());
  await expect(refused).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringContaining(`ems archive restore --application ${tenant.applicationId} --month `),
  });
  expect(await harness.client(TestService).listTests({}, call())).toMatchObject({ data: [] });
});

test.skipIf(!clickhouse.isOurs)(
  "while the archive is away, late steps are 503, and other traces are stored",
  async () => {
    const { traceId, send, rows } = await archivedTrace();
    await clickhouse.kill();
    const late = send({ type: "log", traceId, id: newId(), input: value("late") });
    await expect(late).rejects.toMatchObject({ code: Code.Unavailable });
    await send({ type: "log", traceId: newId(), input: value("new") });
    expect(await rows()).toMatchObject([{ continues: null }]);
    await clickhouse.start();
    await send({ type: "log", traceId, id: newId(), input: value("late") });
    expect(await rows()).toHaveLength(2);
  },
);
