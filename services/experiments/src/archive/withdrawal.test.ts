// Whatever changes a row that a batch covers withdraws the batch, in the same transaction.

import { fromJson } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { ErasureService } from "@ems/proto/experiments/v1/erasure_service";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { executions, passedOutcome } from "../../test/executions.ts";
import { experimentsHarness } from "../../test/harness.ts";
import { experimentsSchema } from "../schema.ts";

const harness = await experimentsHarness();
const { client, clock, database, tenant } = harness;
const dayMs = 86_400_000;
const now = new Date();
/** Long enough ago to be carried. */
const at = new Date(now.getTime() - 20 * dayMs);
const day = new Date(Math.floor(at.getTime() / dayMs) * dayMs);
const value = (json: string | Record<string, string>) => fromJson(ValueSchema, json);
const [ingest, tests] = [client(IngestService), client(TestService)];
const of = executions(harness, tenant);

type Kind = "traces" | "results";
const add = async (kind: Kind, state: string, by = tenant, starts = day) => {
  const [batch] = await database.sql<{ number: number }>(
    `INSERT INTO experiments.archive_batch (application_id, kind, state, starts, ends) VALUES ($1, $2, $3, $4, $5) RETURNING number`,
    [by.applicationId, kind, state, starts, new Date(starts.getTime() + dayMs)],
  );
  return batch?.number ?? 0;
};
const stateOf = async (number: number) => {
  const [batch] = await database.sql<{ state: string }>(
    "SELECT state FROM experiments.archive_batch WHERE number = $1",
    [number],
  );
  return batch?.state;
};
/** What becomes of published batches of both kinds while `change` runs. */
const published = async (change: () => Promise<unknown>) => {
  const numbers = [await add("traces", "published"), await add("results", "published")];
  await change();
  const states = await Promise.all(numbers.map(stateOf));
  await database.sql("DELETE FROM experiments.archive_batch WHERE number = ANY ($1)", [numbers]);
  return states;
};
const triggers = async () =>
  (await database.sql("SELECT FROM pg_trigger WHERE tgname ~ '^archive_' AND tgparentid = 0")).length;

const traceId = newId();
const step = (text: string) =>
  ingest.ingestEvents({ events: [{ type: "log", traceId, input: value(text) }] }, testCall(tenant));
const describe = (metadata: Record<string, string>, id = traceId) =>
  ingest.ingestEvents({ events: [{ type: "trace", traceId: id, metadata: value(metadata) }] }, testCall(tenant));
const record = (createdAt: Date, by = tenant) =>
  tests.recordResults({ tests: [{ taskId: newId(), createdAt: timestampFromDate(createdAt) }] }, testCall(by));

const setClock = (to: Date) => clock.advance(to.getTime() - clock.now().getTime());
let evaluationId = "";

test("without an archive there are no triggers; they are made once", async () => {
  setClock(at);
  await step("first");
  const { tests: triggered } = await of.trigger();
  const testId = triggered[0]?.id ?? "";
  await of.accept(testId);
  await of.sendTrace(testId);
  const [evaluation] = of.evaluationsOf(await of.claim(1));
  evaluationId = evaluation?.id ?? "";
  await of.record([{ id: evaluationId, ...passedOutcome }]);
  setClock(now);
  expect(await triggers()).toBe(0);
  expect(await published(() => step("unwatched"))).toEqual(["published", "published"]);
  for (const _ of ["first", "again"]) await database.sql("SELECT experiments.watch_archived()");
  expect(await triggers()).toBe(6);
});

test("a late step, later metadata, results of an old time and a rerun withdraw the batch of their kind", async () => {
  expect(await published(() => step("late"))).toEqual(["withdrawn", "published"]);
  expect(await published(() => describe({ region: "eu" }))).toEqual(["withdrawn", "published"]);
  expect(await published(() => record(at))).toEqual(["published", "withdrawn"]);
  const rerun = () => client(EvaluationService).rerunEvaluations({ ids: [evaluationId] }, testCall(tenant));
  expect(await published(rerun)).toEqual(["published", "withdrawn"]);
  const [anew] = of.evaluationsOf(await of.claim(1));
  expect(await published(() => of.record([{ id: anew?.id ?? "", ...passedOutcome }]))).toEqual([
    "published",
    "withdrawn",
  ]);
});

test("what is young, of another application or of another day withdraws nothing; nor does what changes nothing", async () => {
  const other = testTenant();
  const numbers = [await add("results", "published", other), await add("results", "published", tenant, at)];
  await database.sql(
    "UPDATE experiments.archive_batch SET starts = ends, ends = ends + interval '1 day' WHERE number = $1",
    [numbers[1]],
  );
  expect(await published(() => record(at, other))).toEqual(["published", "published"]);
  expect(await Promise.all(numbers.map(stateOf))).toEqual(["withdrawn", "published"]);
  expect(await published(() => record(now))).toEqual(["published", "published"]);
  expect(await published(() => describe({ region: "eu" }))).toEqual(["published", "published"]);
});

test("open batches are withdrawn, and dropped ones stay", async () => {
  const [open, dropped] = [await add("results", "open"), await add("results", "dropped")];
  await record(at);
  expect([await stateOf(open), await stateOf(dropped)]).toEqual(["withdrawn", "dropped"]);
});

test("a trace that comes again after it was dropped is noticed, once dropping has begun; one of another application is not", async () => {
  const [mine, other] = [newId(), testTenant()];
  await database.sql(
    "INSERT INTO experiments.dropped_trace (application_id, id, created_at) VALUES ($1, $2, $3), ($4, $2, $3)",
    [tenant.applicationId, mine, at, other.applicationId],
  );
  const returned = () =>
    database.sql<{ by: string }>("SELECT application_id AS by FROM experiments.dropped_trace WHERE came_again");
  for (const _ of ["first", "again"]) await database.sql("SELECT experiments.watch_dropped()");
  await describe({ region: "eu" }, newId());
  expect(await returned()).toEqual([]);
  await describe({ region: "eu" }, mine);
  expect(await returned()).toEqual([{ by: tenant.applicationId }]);
});

const update =
  "UPDATE experiments.trace SET reference_id = coalesce(reference_id, '') || 'r' WHERE application_id = $1 AND id = $2";
/** Changes the trace in a transaction of the service's role; it ends with `end`. */
async function changing(end: string, before: () => Promise<unknown>, settings = "SELECT") {
  const connection = new pg.Client({ connectionString: database.urlOf(experimentsSchema) });
  await connection.connect();
  try {
    await connection.query("BEGIN");
    await connection.query("SELECT set_config('ems.application_id', $1, true)", [tenant.applicationId]);
    await connection.query(settings);
    await connection.query(update, [tenant.applicationId, traceId]);
    await before();
    await connection.query(end);
  } finally {
    await connection.end();
  }
}

test("a batch that is opened while a change is under way is withdrawn at its commit, not when it is rolled back", async () => {
  for (const [end, state] of [
    ["COMMIT", "withdrawn"],
    ["ROLLBACK", "open"],
  ] as const) {
    let number = 0;
    await changing(end, async () => {
      number = await add("traces", "open");
    });
    expect(await stateOf(number)).toBe(state);
    await database.sql("DELETE FROM experiments.archive_batch WHERE number = $1", [number]);
  }
});

test("whoever publishes waits for the change's commit, and finds the batch withdrawn", async () => {
  const number = await add("traces", "open");
  const publish =
    "UPDATE experiments.archive_batch SET state = 'published' WHERE number = $1 AND state = 'open' RETURNING 1";
  let publishing: Promise<unknown[]> = Promise.resolve(["too early"]);
  const waits = () =>
    database.sql("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'published'");
  const before = async () => {
    publishing = database.sql(publish, [number]);
    await vi.waitFor(async () => expect((await waits()).length).toBeGreaterThan(0), { timeout: 10_000 });
  };
  await changing("COMMIT", before, "SET CONSTRAINTS ALL IMMEDIATE");
  expect(await publishing).toEqual([]);
});

test("what retention and dropping delete withdraws nothing", async () => {
  const change = () => changing("COMMIT", async () => undefined, "SELECT set_config('ems.retention', 'deletes', true)");
  expect(await published(change)).toEqual(["published", "published"]);
});

test("an erasure withdraws the batches of the user's traces and of their tests", async () => {
  setClock(at);
  await describe({ userId: "ann" }, newId());
  setClock(now);
  await database.sql("DELETE FROM experiments.archive_batch");
  const number = await add("traces", "published");
  await client(ErasureService).createErasure({ user: "ann" }, testCall(tenant));
  await vi.waitFor(async () => expect(await stateOf(number)).toBe("withdrawn"), { timeout: 20_000, interval: 50 });
});
