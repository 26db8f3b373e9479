import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Statement } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { newId } from "@ems/kit/id";
import { TraceStepSchema } from "@ems/proto/experiments/v1/trace";
import { testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { Completion } from "../completion/index.ts";
import { measureUpdates, storeUpdates } from "./store-updates.ts";
import type { RedactedUpdate } from "./trace-update.ts";

const { database } = await tracesHarness();
const tenant = testTenant();
const now = new Date("2026-01-01T00:00:00.000Z");
const timestamp = timestampFromDate(now);
const times = { SETTLE_ROOT_MS: 1, SETTLE_ROOTLESS_MS: 1, SETTLE_STEPS_MS: 1, SETTLE_MAX_MS: 1 };
const sampled = newId();
const completion = new Completion(times, { isSampled: (_, traceId) => traceId === sampled });

function update(traceId = newId()): RedactedUpdate {
  const steps = [1, 2, 3].map(() => create(TraceStepSchema, { id: newId(), traceId, type: "log", timestamp }));
  return { traceId, trace: { metadata: {} }, steps, isRedacted: true };
}

/** Returns the statements of a request whose traces are either all new or all stored. */
async function recordStatements(updates: readonly RedactedUpdate[], areNew: boolean) {
  const inserts: [table: unknown, rows: number][] = [];
  const queries: [text: string, values: readonly unknown[]][] = [];
  const deferred: unknown[] = [];
  const tx: Pick<Transaction, "query" | "insert" | "insertReturning" | "defer"> = {
    defer: (statement) => void deferred.push(statement),
    query: async (statement, values = []) => {
      queries.push(typeof statement === "string" ? [statement, values] : [statement.text, statement.values]);
      return [];
    },
    insert: async (entity, rows) => void inserts.push([entity.options.tableName, [rows].flat().length]),
    insertReturning: async (entity, rows) => {
      inserts.push([entity.options.tableName, rows.length]);
      return areNew ? (rows as never) : [];
    },
  };
  const measured = await measureUpdates(tenant.applicationId, updates);
  await storeUpdates(tx as Transaction, tenant, { now, source: "ingest", completion, hasArchive: false }, measured);
  return { inserts, queries, deferred };
}

test("new traces take two statements, and two for the search and the sums by day, whatever their number", async () => {
  const { inserts, queries, deferred } = await recordStatements(
    Array.from({ length: 100 }, () => update()),
    true,
  );
  expect(inserts).toEqual([
    ["trace", 100],
    ["trace_step", 300],
  ]);
  expect(queries).toEqual([]);
  expect(deferred).toHaveLength(2);
});

test("traces that name a test or are sampled take one more statement, and other traces do not", async () => {
  const tested = () => ({ ...update(), trace: { testId: newId() } });
  const { deferred } = await recordStatements([tested(), update(), update(sampled), tested()], true);
  expect(deferred).toHaveLength(3);
  expect((deferred[2] as Statement).values[2]).toHaveLength(3);
});

test("stored traces are looked up by their ids, even if their tables have no statistics yet", async () => {
  const { applicationId, orgId } = tenant;
  await database.sql("ALTER TABLE traces.trace SET (autovacuum_enabled = off)");
  await database.sql("SELECT traces.add_months('{2026-01-01}')");
  await database.sql("ALTER TABLE traces.trace_step_2026_01 SET (autovacuum_enabled = off)");
  await database.sql(
    `WITH added AS (
       INSERT INTO traces.trace (application_id, id, org_id, "timestamp", type, is_root_child, has_error, steps, bytes,
         step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, metadata, created_at,
         modified_at)
       SELECT $1, gen_random_uuid(), $2, $3, 'log', false, false, 1, 1, 1, 0, 0, 0, 0, 0, '{}', $3, $3
       FROM generate_series(1, 5000) RETURNING id)
     INSERT INTO traces.trace_step (application_id, month, trace_id, id, "timestamp", "position", size, type, input, fields)
     SELECT $1, $3, id, gen_random_uuid(), $3, 0, 1, 'log', repeat('x', 200), '{}' FROM added`,
    [applicationId, orgId, now],
  );

  const { queries } = await recordStatements(
    Array.from({ length: 10 }, () => update()),
    false,
  );
  expect(queries).toHaveLength(3);
  for (const [text, values] of queries) {
    const [row] = await database.sql(`EXPLAIN (ANALYZE, BUFFERS, FORMAT json) ${text}`, [...values]);
    const plan = row?.["QUERY PLAN"][0].Plan;
    expect([text, plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 200]).toEqual([text, true]);
  }
});
