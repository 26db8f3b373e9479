// Sums of steps by day equal the sums of the steps, however they change: late spans, prices, deletion, folding.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { ModelPriceService } from "@ems/proto/experiments/v1/model_price_service";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { tracesHarness } from "../../../test/harness.ts";

const { client, database, clock } = await tracesHarness();
const ingest = client(IngestService);

const sums = `sum(rows)::int AS rows, sum(errored_true)::int AS errored, sum(duration_rows)::int AS durations,
  sum(duration_sum)::int AS duration, sum(cost_rows)::int AS costs, sum(cost_sum)::text AS cost, sum(unpriced_sum)::int AS unpriced,
  sum(input_rows)::int AS usages, sum(input_sum)::int AS input, sum(output_sum)::int AS output`;
const ofSteps = `count(*)::int AS rows, (count(*) FILTER (WHERE status = 'error'))::int AS errored,
  count(duration_ms)::int AS durations, coalesce(sum(duration_ms), 0)::int AS duration, count(cost)::int AS costs,
  coalesce(sum(cost::text::numeric), 0)::text AS cost, sum(unpriced_steps)::int AS unpriced, count(input_tokens)::int AS usages,
  coalesce(sum(input_tokens), 0)::int AS input, coalesce(sum(output_tokens), 0)::int AS output`;

// Lets the views' owner read without a tenant.
const tables = ["trace", "trace_step", "step_day", "step_day_duration", "step_change"];
for (const table of tables) await database.sql(`ALTER TABLE traces.${table} NO FORCE ROW LEVEL SECURITY`);

async function compare({ applicationId }: Tenant) {
  const groups = "(model IS NULL)::text || coalesce(model, ''), type, status";
  const read = (select: string, from: string, having = "") =>
    database.sql(
      `SELECT ${groups}, ${select} FROM ${from} WHERE application_id = $1 GROUP BY 1, 2, 3 ${having} ORDER BY 1, 2, 3`,
      [applicationId],
    );
  const expected = await read(ofSteps, "reporting.step_v1");
  const found = await read(sums, "reporting.step_day_v1", "HAVING sum(rows) <> 0");
  const plain = (rows: object[]) => rows.map((row) => ({ ...row, cost: Number((row as { cost: string }).cost) }));
  expect(plain(found)).toEqual(plain(expected));
  const [hits] = await database.sql<{ hits: number }>(
    "SELECT coalesce(sum(hits), 0)::int AS hits FROM reporting.step_day_duration_v1 WHERE application_id = $1",
    [applicationId],
  );
  const durations = (expected as { durations: number }[]).reduce((total, row) => total + row.durations, 0);
  expect(hits?.hits).toBe(durations);
  return expected.length;
}

test("sums equal the steps after ingestion, folding, new prices and deletion", async () => {
  const tenant = testTenant();
  const ids: string[] = [];
  for (let at = 0; at < 6; at++) {
    const traceId = newId();
    ids.push(traceId);
    const timestamp = timestampFromDate(clock.now());
    const usage = { promptTokens: 10n * BigInt(at), completionTokens: 3n };
    const model = ["gpt-4o", "own-model", ""][at % 3] ?? "";
    const llm = { type: "llm", event: "end", traceId, timestamp, modelId: model, usage, durationMs: 120 * at };
    const events = [
      llm,
      { ...llm, costAmount: 0.1 },
      { type: "tool", traceId, timestamp, name: "search", status: "error", durationMs: 7 },
    ];
    const { data } = await ingest.ingestEvents({ events }, testCall(tenant));
    expect(data.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  }
  expect(await compare(tenant)).toBeGreaterThan(3);
  const pending = () =>
    database.sql("SELECT FROM traces.step_change WHERE application_id = $1", [tenant.applicationId]);
  await vi.waitFor(async () => expect(await pending()).toEqual([]), { timeout: 20_000 });
  await compare(tenant);

  const prices = client(ModelPriceService);
  await prices.updateModelPrices(
    { prices: [{ model: "own-model", inputPerMillion: 3, outputPerMillion: 15 }] },
    testCall(tenant),
  );
  const range = {
    startDate: timestampFromDate(new Date(clock.now().getTime() - 86_400_000)),
    endDate: timestampFromDate(new Date(clock.now().getTime() + 86_400_000)),
  };
  const { data } = await prices.repriceTraces(range, testCall(tenant));
  expect(Number(data?.changedSteps)).toBeGreaterThan(0);
  await compare(tenant);

  await client(TraceWorkService).eraseTraces({ traceIds: ids.slice(2) }, testCall(tenant));
  await compare(tenant);
  await client(TraceWorkService).eraseTraces({ traceIds: ids }, testCall(tenant));
  expect(await compare(tenant)).toBe(0);
}, 60_000);
