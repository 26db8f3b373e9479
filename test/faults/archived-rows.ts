// Rows that are old enough for the archive.

import { newId } from "@ems/kit/id";
import type { TestDatabase } from "@ems/test-support";

/** Adds tests with two evaluations each and traces with two steps each, at intervals of one hour, starting at `from`. */
export async function addRows({ sql }: TestDatabase, applicationId: string, from: Date, count = 14): Promise<void> {
  await sql("SELECT experiments.add_months(ARRAY[$1::date, $1::date + 3])", [from]);
  await sql(
    `WITH run AS (
       INSERT INTO experiments.run (application_id, id, org_id, type, status, created_at, modified_at)
         VALUES ($1, $4, 'o', 'SCHEDULED', 'COMPLETED', $2, $2)
     ), test AS (
       INSERT INTO experiments.test (application_id, id, created_at, task_id, run_id, duration_ms, passed, score_micro, org_id, run_type,
           status, definition_ids, message)
         SELECT $1, gen_random_uuid(), $2::timestamptz + n * interval '1 hour', $4, $4, n, n % 2 = 0, n * 1000, 'o', 'SCHEDULED',
           'COMPLETED', ARRAY[$4]::uuid[], 'm' || n
         FROM generate_series(0, $3::integer - 1) n
       RETURNING *
     )
     INSERT INTO experiments.evaluation (application_id, id, created_at, score_micro, test_id, run_id, task_id, definition_id, passed,
         org_id, definition_type, status, results)
       SELECT t.application_id, gen_random_uuid(), t.created_at, t.score_micro, t.id, t.run_id, t.task_id, $4, t.passed, 'o', 'FACT',
         'COMPLETED', '{}'
       FROM test t, generate_series(1, 2)`,
    [applicationId, from, count, newId()],
  );
  await sql("SELECT traces.add_months(ARRAY[$1::date, $1::date + 3])", [from]);
  await sql(
    `WITH trace AS (
       INSERT INTO traces.trace (application_id, id, org_id, timestamp, type, is_root_child, has_error, steps, bytes, step_count,
           total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, metadata, created_at, modified_at)
         SELECT $1, gen_random_uuid(), 'o', at, 'llm', false, n % 2 = 0, 2, 100, 2, 0.5 * n, n, 0, 0, 0, '{"k": "v"}', at, at
         FROM (SELECT n, $2::timestamptz + n * interval '1 hour' AS at FROM generate_series(0, $3::integer - 1) n) times
       RETURNING *
     )
     INSERT INTO traces.trace_step (application_id, month, trace_id, id, timestamp, position, size, type, input, fields)
       SELECT t.application_id, date_trunc('month', t.created_at, 'UTC'), t.id, gen_random_uuid(), t.created_at, n, 50, 'llm',
         'input ' || n, '{"model": "m"}'
       FROM trace t, generate_series(0, 1) n`,
    [applicationId, from, count],
  );
}
