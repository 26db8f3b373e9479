import type { Transaction } from "@ems/kit/db/transaction";
import { newId } from "@ems/kit/id";
import { testTenant } from "@ems/test-support";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { tracesSchema } from "../schema.ts";
import { changeCounted, spansOfTraces, spansRelatedTo } from "./related-spans.ts";

const { database } = await tracesHarness();
const { applicationId } = testTenant();
const traceId = newId();
const now = new Date("2026-01-01T00:00:00.000Z");
const client = new pg.Client({ connectionString: database.getUrl(tracesSchema) });
/** Number of blocks that the latest statement read. */
let blocks = 0;
const statements: Promise<unknown>[] = [];
const tx = {
  query: async (text: string, values: unknown[]) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT json) ${text}`, values);
    const plan = rows[0]["QUERY PLAN"][0].Plan;
    blocks = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    return (await client.query(text, values)).rows;
  },
  defer: (text: string, values: unknown[]) => void statements.push(client.query(text, values)),
} as unknown as Transaction;

const toUuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const usage = { promptTokens: 2, completionTokens: 1 };

// Creates a trace of 20,000 calls, in pairs with the same response id. Each of the first calls contains ten calls.
beforeAll(async () => {
  await database.sql("SELECT traces.add_months('{2026-01-01}')");
  await database.sql("ALTER TABLE traces.trace_step_2026_01 SET (autovacuum_enabled = off)");
  await database.sql(
    `INSERT INTO traces.trace (application_id, id, org_id, "timestamp", type, is_root_child, has_error, steps, bytes,
       step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, metadata, created_at,
       modified_at)
     VALUES ($1, $2, 'org', $3, 'llm', false, false, 20000, 1, 1, 0, 0, 0, 0, 0, '{}', $3, $3)`,
    [applicationId, traceId, now],
  );
  await database.sql(
    `INSERT INTO traces.trace_step (application_id, month, trace_id, id, parent_id, "timestamp", "position", size, type,
       input, fields, call_id)
     SELECT $1, $3, $2, format($4, lpad(n::text, 12, '0'))::uuid,
       CASE WHEN n > 2000 THEN format($4, lpad((n / 10)::text, 12, '0'))::uuid END, $3, n, 1, 'llm', repeat('x', 300), $5,
       format($4, lpad((100000 + n / 2)::text, 12, '0'))::uuid
     FROM generate_series(0, 19999) n`,
    [
      applicationId,
      traceId,
      now,
      "00000000-0000-4000-8000-%s",
      `{"name": "to  the letter", "usage": ${JSON.stringify(usage)}, "own": {"usage": ${JSON.stringify(usage)}}, "big": 12345678901234567890}`,
    ],
  );
  await client.connect();
  await client.query("SELECT set_config('ems.application_id', $1, false)", [applicationId]);
});
afterAll(() => client.end());

const call = (id: string, parentId: string | null, callId: string) => ({ traceId, id, parentId, callId });

test("as the runtime role, related calls of a trace with 20,000 calls are looked up in indexes, without statistics", async () => {
  // Call 9999 has no calls within it; its pair, 9998, neither. Both are within 999, which is a pair with 998.
  const id = newId();
  const found = await spansRelatedTo(tx, applicationId, [call(id, null, toUuid(100_000 + 4_999))]);
  const ids = new Set(found.map((span) => span.id));
  for (const number of [9_998, 9_999, 999, 998, 9_980, 9_989]) expect(ids).toContain(toUuid(number));
  expect(ids.has(toUuid(5_000))).toBe(false);
  const span = found.find((each) => each.id === toUuid(9_998));
  expect(span).toMatchObject({ traceId, month: now, parentId: toUuid(999), own: { usage }, counted: { usage } });
  expect(blocks).toBeLessThan(found.length * 40);
  expect(found.length).toBeLessThan(500);
});

test("a call without relations finds none, and a whole trace has all steps", async () => {
  const id = newId();
  expect(await spansRelatedTo(tx, applicationId, [call(id, null, id)])).toEqual([]);
  expect(blocks).toBeLessThan(40);
  expect(await spansRelatedTo(tx, applicationId, [])).toEqual([]);
  expect(await spansOfTraces(tx, applicationId, [{ id: traceId, createdAt: now }])).toHaveLength(20_000);
});

test("a call whose counted usage changes keeps its other fields exactly", async () => {
  const [id, own] = [toUuid(7), { usage }];
  const counted = { costAmount: 0.25, isUnpriced: true };
  changeCounted(tx, applicationId, [
    { traceId, month: now, id, parentId: null, callId: id, own, counted, type: "llm", status: null, modelId: null },
  ]);
  await Promise.all(statements);
  const [row] = await database.sql<{ text: string }>(
    "SELECT fields::text AS text FROM traces.trace_step WHERE application_id = $1 AND id = $2",
    [applicationId, id],
  );
  expect(row?.text).toContain("12345678901234567890");
  expect(JSON.parse(row?.text ?? "")).toMatchObject({
    name: "to  the letter",
    costAmount: 0.25,
    isUnpriced: true,
    own,
  });
  expect(JSON.parse(row?.text ?? "").usage).toBeUndefined();
});
