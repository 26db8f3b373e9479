import { migrate } from "@ems/kit/db/migrate";
import { ownerRole } from "@ems/kit/db/schema";
import { newId } from "@ems/kit/id";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../test/harness.ts";
import { experimentsSchema } from "../schema.ts";
import { PartitionTraces1763773000000 } from "./1763773000000-partition-traces.ts";

const harness = await experimentsHarness();
const { database, tenant } = harness;
const call = testCall(tenant);
const traces = harness.client(TraceService);

const [id, traceId, otherId, empty, root, child] = [newId(), newId(), newId(), newId(), newId(), newId()];
const { applicationId, orgId } = tenant;

/** The schema as it was before the migration, with traces of two months. */
async function fillEarlierSchema(): Promise<void> {
  const before = experimentsSchema.migrations.slice(
    0,
    experimentsSchema.migrations.indexOf(PartitionTraces1763773000000),
  );
  await database.sql(`DROP SCHEMA experiments CASCADE; CREATE SCHEMA experiments AUTHORIZATION ${ownerRole};
    GRANT USAGE ON SCHEMA experiments TO ems_experiments, ems_experiments_relay`);
  await migrate(database.ownerUrl, [{ ...experimentsSchema, migrations: before }]);
  const trace = (values: unknown[]) =>
    database.sql(
      `INSERT INTO experiments.trace (application_id, org_id, id, trace_id, test_id, "timestamp", metadata, size, created_at)
       VALUES ($1, $2, $3, $4, NULL, $5, $6, 10, $7)`,
      [applicationId, orgId, ...values],
    );
  await trace([id, traceId, "2026-01-02T00:00:00Z", '{"user": "u"}', "2026-01-31T23:59:59.999Z"]);
  await trace([otherId, otherId, "2026-02-01T00:00:00Z", "{}", "2026-02-01T00:00:00Z"]);
  await trace([empty, newId(), "2026-02-01T00:00:00Z", "{}", "2026-02-01T00:00:00Z"]);
  const step = (of: string, values: unknown[]) =>
    database.sql(
      `INSERT INTO experiments.trace_step (application_id, trace_id, id, parent_id, type, event, name, "timestamp", duration_ms,
         input_tokens, output_tokens, input, output, metadata, size, "position", created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 10, $15, now())`,
      [applicationId, of, ...values],
    );
  const at = (second: number) => `2026-01-02T00:00:0${second}Z`;
  await step(traceId, [child, root, "llm", "end", "", at(1), 1500.4, 3, 4, '[{"role": "user"}]', '"hi"', "{}", 0]);
  await step(traceId, [root, null, "request", "start", "q", at(1), null, 0, 0, '"question"', null, '{"a": 1}', 1]);
  await step(traceId, [newId(), root, "tool", "start", "t", at(3), 1, 0, 0, '{"city": "Oslo"}', "null", "{}", 2]);
  await step(otherId, [newId(), null, "log", "start", "", at(2), null, 0, 0, null, '"only output"', "{}", 0]);
}

test("stored traces get the fields of their kinds, their totals, and stay readable by both of their ids", async () => {
  await fillEarlierSchema();
  const ran = await migrate(database.ownerUrl, [experimentsSchema]);
  expect(ran[0]).toContain("PartitionTraces1763773000000");

  const { data } = await traces.getTrace({ id: traceId }, call);
  expect((await traces.getTrace({ id }, call)).data).toEqual(data);
  expect(data).toMatchObject({
    id: traceId,
    traceId,
    type: "request",
    stepCount: 3n,
    totalPromptTokens: 3n,
    totalCompletionTokens: 4n,
    totalDurationMs: 2001n,
    steps: [
      {
        id: child,
        parentId: root,
        type: "llm",
        event: "end",
        modelId: "",
        durationMs: 1500n,
        usage: { promptTokens: 3n, completionTokens: 4n },
        input: '[{"role": "user"}]',
        output: '{"message" : "hi"}',
        status: "success",
      },
      { id: root, type: "request", name: "q", content: "question" },
      { type: "tool", name: "t", toolInput: '{"city": "Oslo"}' },
    ],
  });
  const [, request, tool] = data?.steps ?? [];
  expect([request?.event, request?.durationMs, tool?.toolOutput]).toEqual([undefined, undefined, undefined]);
  expect((await traces.getTrace({ id: otherId }, call)).data?.steps).toMatchObject([{ content: "only output" }]);
  expect((await traces.getTrace({ id: empty }, call)).data).toMatchObject({ steps: [], stepCount: 0n, type: "group" });
  expect((await traces.listTraces({}, call)).pagination).toMatchObject({ total: 3n });
});

test("they lie in the months of their arrival, and take further steps there", async () => {
  const rows = await database.sql<{ part: string; steps: number }>(
    `SELECT tableoid::regclass::text AS part, count(*)::int AS steps FROM experiments.trace_step GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { part: "experiments.trace_step_2026_01", steps: 3 },
    { part: "experiments.trace_step_2026_02", steps: 1 },
  ]);
  const step = { type: "llm", traceId, usage: { promptTokens: 1n }, costAmount: 0.5 };
  await harness.client(IngestService).ingestEvents({ events: [step] }, call);
  expect((await traces.getTrace({ id: traceId }, call)).data).toMatchObject({
    stepCount: 4n,
    totalPromptTokens: 4n,
    totalCost: 0.5,
  });
  const [january] = await database.sql<{ steps: number }>(
    "SELECT count(*)::int AS steps FROM experiments.trace_step_2026_01",
  );
  expect(january?.steps).toBe(4);
});
