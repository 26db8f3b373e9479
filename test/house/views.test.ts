// Reports can read rows of the requesting tenant only.

import { newId } from "@ems/kit/id";
import { reportingSchema } from "@ems/reporting/schema";
import { testDatabase } from "@ems/test-support";
import { addTo, rollups } from "@ems/test-support/rollups";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";

const database = await testDatabase(inject("postgres"));
const pool = new pg.Pool({ connectionString: database.getUrl(reportingSchema), max: 1 });
pool.on("error", () => undefined);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const [ours, theirs] = [newId(), newId()];
const views = (
  await database.sql<{ view: string }>(
    "SELECT c.relname AS view FROM pg_class c WHERE c.relnamespace = 'reporting'::regnamespace AND c.relkind = 'v' ORDER BY 1",
  )
).map(({ view }) => view);

const audited = ["catalog", "evaluation", "experiments", "identity", "notifications", "traces"];

/** Builds SQL that inserts a row for every view. */
const fill = (applicationId: string) => {
  const [app, id, at] = [`'${applicationId}'`, `'${newId()}'`, "'2026-01-05'"];
  return `
    INSERT INTO catalog.topic (application_id, id, org_id, title, status, created_at, modified_at)
      VALUES (${app}, ${id}, 'o', 't', 'ACTIVE', ${at}, ${at});
    INSERT INTO catalog.task (application_id, id, org_id, title, description, type, status, created_at, modified_at)
      VALUES (${app}, ${id}, 'o', 't', 'd', 'NORMAL', 'ACTIVE', ${at}, ${at});
    INSERT INTO catalog.tag (application_id, id, org_id, name, color, description, status, created_at, modified_at)
      VALUES (${app}, ${id}, 'o', 'n', '#000000', 'd', 'ACTIVE', ${at}, ${at});
    INSERT INTO catalog.task_tag (application_id, task_id, tag_id) VALUES (${app}, ${id}, ${id});
    INSERT INTO catalog.eval_definition (application_id, id, org_id, type, name, created_at, modified_at)
      VALUES (${app}, ${id}, 'o', 'FACT', 'n', ${at}, ${at});
    SELECT experiments.add_months(ARRAY[${at}::date]);
    INSERT INTO experiments.test (application_id, id, created_at, task_id, run_id, org_id, run_type, status, definition_ids)
      VALUES (${app}, ${id}, ${at}, ${id}, ${id}, 'o', 'MANUAL', 'COMPLETED', ARRAY[${id}::uuid]);
    INSERT INTO experiments.evaluation
        (application_id, id, created_at, test_id, run_id, task_id, definition_id, org_id, definition_type, status)
      VALUES (${app}, ${id}, ${at}, ${id}, ${id}, ${id}, ${id}, 'o', 'FACT', 'COMPLETED');
    INSERT INTO experiments.human_annotation
        (application_id, id, org_id, trace_id, verdict, source, annotator_id, created_at, modified_at)
      VALUES (${app}, ${id}, 'o', ${id}, true, 'TRACE_PAGE', 'ada', ${at}, ${at});
    INSERT INTO traces.feedback (application_id, id, org_id, trace_id, thumb, source, created_at)
      VALUES (${app}, ${id}, 'o', ${id}, 'UP', 'API', ${at});
    INSERT INTO traces.trace (application_id, id, org_id, timestamp, metadata, created_at, type, is_root_child, has_error, steps,
        bytes, step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, modified_at)
      VALUES (${app}, ${id}, 'o', ${at}, '{}', ${at}, 'llm', false, false, 1, 1, 1, 0, 0, 0, 0, 0, ${at});
    SELECT traces.add_months(ARRAY[${at}::date]);
    INSERT INTO traces.trace_step (application_id, month, trace_id, id, timestamp, position, size, type, fields)
      VALUES (${app}, '2026-01-01T00:00:00Z', ${id}, ${id}, ${at}, 0, 1, 'llm', '{}');
    UPDATE traces.trace SET session = 's', session_id = ${id} WHERE application_id = ${app};
    INSERT INTO traces.session (application_id, id, org_id, external_id, last_at, created_at)
      VALUES (${app}, ${id}, 'o', 's', ${at}, ${at});
    INSERT INTO traces.step_day VALUES (${app}, ${at}, ${id}, 'o', 'llm', 'success', '', '', 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    INSERT INTO traces.step_day_duration VALUES (${app}, ${at}, ${id}, 0, 1);
    INSERT INTO traces.step_day_start VALUES (${app}, ${at});
    INSERT INTO traces.archive_batch (application_id, kind, starts, ends)
      VALUES (${app}, 'traces', ${at}, ${at}::timestamptz + interval '1 day');
    INSERT INTO traces.external_evaluation (application_id, id, org_id, trace_id, name, source, created_at)
      VALUES (${app}, ${id}, 'o', ${id}, 'n', 's', ${at});
    INSERT INTO experiments.judge_calibration (application_id, definition_id, org_id, calculated_at)
      VALUES (${app}, ${id}, 'o', ${at});
    INSERT INTO experiments.archive_batch (application_id, kind, starts, ends)
      VALUES (${app}, 'results', ${at}, ${at}::timestamptz + interval '1 day');
    ${audited
      .map(
        (service) => `INSERT INTO ${service}.audit
        (application_id, org_id, resource, entity_id, action, operation, user_id, request_id, changes)
      VALUES (${app}, 'o', 'topic', ${id}, 'DELETED', 'o', 'ada', 'r', '{}');`,
      )
      .join("")}
    ${addTo(rollups.testDay, "experiments.test")};
    ${addTo(rollups.taskStat, "experiments.test")};
    ${addTo(rollups.taskRunType, "experiments.test")};
    ${addTo(rollups.evaluationDay, "experiments.evaluation")};
    ${addTo(rollups.taskDay, "experiments.test")};
    ${addTo(rollups.taskDefinitionDay, "experiments.evaluation")};`;
};

const seen = async (view: string, applicationId: string | undefined) => {
  const client = await pool.connect();
  try {
    await client.query("BEGIN READ ONLY");
    if (applicationId !== undefined)
      await client.query("SELECT set_config('ems.application_id', $1, true)", [applicationId]);
    const { rows } = await client.query<{ application_id: string }>(
      `SELECT DISTINCT application_id FROM reporting.${view}`,
    );
    return rows.map((row) => row.application_id);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
};

await database.sql(fill(ours));
await database.sql(fill(theirs));

test("there are views of everything that reports are made of", () => {
  expect(views).toEqual([
    "archive_batch_v1",
    "catalog_audit_v1",
    "eval_definition_v1",
    "evaluation_audit_v1",
    "evaluation_day_v1",
    "evaluation_v1",
    "experiments_audit_v1",
    "external_evaluation_v1",
    "feedback_v1",
    "human_annotation_v1",
    "identity_audit_v1",
    "judge_calibration_v1",
    "notifications_audit_v1",
    "session_v1",
    "step_day_duration_v1",
    "step_day_start_v1",
    "step_day_v1",
    "step_v1",
    "tag_v1",
    "task_day_v1",
    "task_definition_day_v1",
    "task_run_type_v1",
    "task_stat_v1",
    "task_tag_v1",
    "task_v1",
    "test_day_v1",
    "test_v1",
    "topic_v1",
    "trace_archive_batch_v1",
    "trace_v1",
    "traces_audit_v1",
  ]);
});

test.each(views)("%s returns a tenant's own rows, and none without a tenant", async (view) => {
  expect(await seen(view, undefined)).toEqual([]);
  expect(await seen(view, "")).toEqual([]);
  expect(await seen(view, newId())).toEqual([]);
  expect(await seen(view, ours)).toEqual([ours]);
  expect(await seen(view, theirs)).toEqual([theirs]);
});

test("reporting reads views and nothing behind them, and writes nothing", async () => {
  for (const statement of [
    "SELECT FROM experiments.test",
    "SELECT FROM catalog.topic",
    "UPDATE reporting.task_v1 SET title = 'x'",
    "DELETE FROM reporting.test_v1",
  ])
    await expect(pool.query(statement)).rejects.toThrow("permission denied");
});
