import type { Transaction } from "@ems/kit/db/transaction";
import { newId } from "@ems/kit/id";
import { testTenant } from "@ems/test-support";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { tracesSchema } from "../schema.ts";
import { callsWithin, changeCalls, relatedCalls } from "./stored-calls.ts";

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

const call = (id: string, parentId: string | null, callId: string) => ({
  traceId,
  id,
  parentId,
  callId,
  fields: { own: { usage } },
});

test("as the runtime role, calls of a trace with 20,000 calls are looked up in indexes, without statistics", async () => {
  const calls = Array.from({ length: 50 }, (_, index) => call(newId(), toUuid(500 + index), toUuid(100_000 + index)));
  const related = await relatedCalls(tx, applicationId, calls);
  // Expects parents 500 to 549 with their 25 calls of two spans each, and both spans of each of the 50 calls.
  expect(new Set(related.map(({ id }) => id))).toEqual(
    new Set([...Array(50).keys()].flatMap((index) => [500 + index, 2 * index, 2 * index + 1]).map(toUuid)),
  );
  expect(related[0]).toMatchObject({ traceId, month: now, own: { usage }, counted: { usage } });
  expect(blocks).toBeLessThan(50 * 3 * 10);
  const inner = await callsWithin(
    tx,
    applicationId,
    [300, 400, 9_999].map((number) => call(toUuid(number), null, toUuid(number))),
  );
  expect(inner).toHaveLength(20);
  expect(inner).toContainEqual({ traceId, id: toUuid(3004), parentId: toUuid(300), callId: toUuid(101_502), usage });
  expect(blocks).toBeLessThan(100);
});

test("calls that cannot have duplicates need no lookup", async () => {
  const id = newId();
  blocks = -1;
  expect(await relatedCalls(tx, applicationId, [call(id, null, id)])).toEqual([]);
  expect(await callsWithin(tx, applicationId, [{ ...call(id, null, id), fields: { own: { costAmount: 1 } } }])).toEqual(
    [],
  );
  expect(blocks).toBe(-1);
});

test("a call whose counted usage changes keeps its other fields exactly", async () => {
  const [id, own] = [toUuid(7), { usage, within: usage }];
  const changed = { traceId, month: now, id, parentId: null, callId: id, own, counted: { costAmount: 0.25 } };
  changeCalls(tx, applicationId, [changed]);
  await Promise.all(statements);
  const [row] = await database.sql<{ text: string }>(
    "SELECT fields::text AS text FROM traces.trace_step WHERE application_id = $1 AND id = $2",
    [applicationId, id],
  );
  expect(row?.text).toContain("12345678901234567890");
  expect(JSON.parse(row?.text ?? "")).toMatchObject({ name: "to  the letter", costAmount: 0.25, own });
  expect(JSON.parse(row?.text ?? "").usage).toBeUndefined();
});
