// Traces that come again after they were dropped.

import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Stores } from "@ems/kit/archive";
import { newId } from "@ems/kit/id";
import type { Call } from "@ems/kit/rpc/call";
import { TraceStepSchema } from "@ems/proto/experiments/v1/trace";
import { expect, test } from "vitest";
import { addTraces, archiveHarness } from "../../test/archive.ts";
import { measureUpdates, storeUpdates } from "../traces/index.ts";
import { dropDue } from "./drop.ts";
import { experimentsArchive } from "./kinds.ts";
import { mergeReturned } from "./returned.ts";

const { sql, clock, archive, carrier, newCall, database, relayDatabase, source, log } = await archiveHarness();
const deps = { database, relayDatabase, source, log };
const dayMs = 86_400_000;
const day = clock.now().getTime() - 20 * dayMs;
const signal = new AbortController().signal;

async function numberOf(table: string, applicationId: string): Promise<number | undefined> {
  const text = `SELECT count(*)::int AS rows FROM experiments.${table} WHERE application_id = $1`;
  return (await sql<{ rows: number }>(text, [applicationId]))[0]?.rows;
}

test("a trace that came again is read once, and goes on with what the archive has of it", async () => {
  const { applicationId } = newCall().tenant;
  await addTraces(sql, applicationId, new Date(day), 4);
  await carrier().run();
  while ((await dropDue(deps, 1, signal)) > 0);
  const call = { ...newCall(), tenant: { applicationId, orgId: "o", userId: "" } } as unknown as Call;
  const stores = new Stores(database, archive, "experiments.archive_extent", experimentsArchive);
  const text = "SELECT count() AS rows FROM trace";
  const read = async () => {
    const { dropped } = await stores.read(call, ["traces"], []);
    return stores.readDropped<{ rows: string }>(call, { trace: dropped.traces }, text, {});
  };
  expect(await read()).toEqual([{ rows: "4" }]);
  const [old] = await sql<{ id: string }>(
    "SELECT id FROM experiments.dropped_trace WHERE application_id = $1 LIMIT 1",
    [applicationId],
  );
  await addTraces(sql, applicationId, new Date(), 1);
  await sql(
    `WITH young AS (DELETE FROM experiments.trace WHERE application_id = $1 RETURNING *)
     INSERT INTO experiments.trace
     SELECT (jsonb_populate_record(NULL::experiments.trace, to_jsonb(young) || jsonb_build_object('id', $2::text))).* FROM young`,
    [applicationId, old?.id],
  );
  await sql("UPDATE experiments.trace_step SET trace_id = $2 WHERE application_id = $1", [applicationId, old?.id]);
  expect(await read()).toEqual([{ rows: "3" }]);
  // Whoever erases looks for all that there is.
  expect(await stores.queryDropped(call, "traces", text, {})).toEqual([{ rows: "4" }]);
  expect(await mergeReturned(deps, signal)).toBe(1);
  expect(await read()).toEqual([]);
  const merged = "SELECT steps FROM experiments.trace WHERE application_id = $1 AND id = $2";
  expect(await sql(merged, [applicationId, old?.id])).toEqual([{ steps: 4 }]);
  expect(await numberOf("trace", applicationId)).toBe(4);
  expect(await numberOf("trace_step", applicationId)).toBe(10);
  expect(await numberOf("dropped_trace", applicationId)).toBe(0);
  expect(await mergeReturned(deps, signal)).toBe(0);
});

test("spans of one call count once, of which some are in the archive and some come again", async () => {
  const { tenant } = newCall();
  const { applicationId } = tenant;
  const traceId = newId();
  const usage = { promptTokens: 10n, completionTokens: 2n };
  const callId = newId();
  const store = async (now: Date, spans: Readonly<Record<string, { readonly parentId?: string }>>) => {
    const ids = Object.keys(spans);
    const timestamp = timestampFromDate(now);
    const steps = Object.entries(spans).map(([id, more]) =>
      create(TraceStepSchema, { id, traceId, type: "llm", event: "end", timestamp, usage, costAmount: 0.5, ...more }),
    );
    // Spans within others have one response id.
    const calls = new Map(ids.map((id) => [id, { callId: spans[id]?.parentId ? callId : id, isPriced: false }]));
    await sql("SELECT experiments.add_months(ARRAY[$1::date])", [now]);
    const measured = await measureUpdates(applicationId, [{ traceId, steps, calls, isRedacted: true }]);
    await database.withScope(tenant, Date.now() + 60_000, (tx) =>
      storeUpdates(tx, tenant, { now, source: "otlp", settling: { touch: () => undefined } }, measured),
    );
    await sql("DELETE FROM experiments.search_job WHERE application_id = $1", [applicationId]);
  };
  const totals = () =>
    sql(
      `SELECT steps, total_cost AS cost, total_prompt_tokens AS prompt, total_completion_tokens AS completion
       FROM experiments.trace WHERE application_id = $1 AND id = $2`,
      [applicationId, traceId],
    );
  const expected = { cost: 0.5, prompt: "10", completion: "2" };
  const [outer, first, second] = [newId(), newId(), newId()];
  await store(new Date(day), { [first]: { parentId: outer }, [second]: { parentId: outer } });
  expect(await totals()).toEqual([{ steps: 2, ...expected }]);
  await carrier().run();
  while ((await dropDue(deps, 1, signal)) > 0);
  expect(await totals()).toEqual([]);
  await store(new Date(), { [outer]: {} });
  expect(await totals()).toEqual([{ steps: 1, ...expected }]);
  expect(await mergeReturned(deps, signal)).toBe(1);
  expect(await totals()).toEqual([{ steps: 3, ...expected }]);
});
