import { listTenantsV1 } from "@ems/kit/db/search-schema";
import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Sums of results by task and UTC day, and by definition, from which catalog tells how tasks do. */
export class RollUpTasks1763804100000 implements MigrationInterface {
  readonly name = "RollUpTasks1763804100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(taskDayTriggers);
    await runner.query(listTenantsV1("experiments.run", "application_id", "experiments.task_day_backfill"));
    await runner.query(views);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE SELECT ON reporting.task_stat_v1 FROM ems_catalog;
      REVOKE USAGE ON SCHEMA reporting FROM ems_catalog;
      DROP VIEW reporting.task_day_v1, reporting.task_definition_day_v1;
      ${dropTaskDayTriggers}
      DROP TABLE experiments.task_day, experiments.task_definition_day;
      DROP TABLE IF EXISTS experiments.task_day_backfill;
    `);
  }
}

/** Adds the results that are older than the triggers, a transaction a tenant. Idempotent. */
export class RollUpOlderTasks1763804200000 implements MigrationInterface {
  readonly name = "RollUpOlderTasks1763804200000";
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const tenants: { tenant: string }[] = await runner.query("SELECT tenant FROM experiments.task_day_backfill");
    for (const { tenant } of tenants) await recount(runner, tenant);
    await runner.query("DROP TABLE experiments.task_day_backfill");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(backfillTable);
  }
}

async function recount(runner: QueryRunner, tenant: string): Promise<void> {
  await runner.startTransaction();
  try {
    await runner.query("SELECT set_config('ems.application_id', $1, true)", [tenant]);
    await runner.query("LOCK TABLE experiments.test, experiments.evaluation IN SHARE ROW EXCLUSIVE MODE");
    // What triggers have counted since they were created is counted with the rest.
    await runner.query(`
      UPDATE experiments.task_day SET tests = 0, tests_passed = 0;
      UPDATE experiments.task_definition_day
        SET evaluations = 0, evaluations_passed = 0, scores = 0, score_sum = 0, score_squares = 0`);
    for (const { table, source } of rollups) {
      await runner.query(addTo(table, source, `SELECT *, 1 AS change FROM experiments.${source} WHERE ${isRecent}`));
    }
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

const backfillTable = "CREATE TABLE experiments.task_day_backfill (tenant text PRIMARY KEY);";

/** Measures look back 30 days. */
const isRecent = "created_at > now() - interval '32 days'";

const counted = "(r.status = 'FAILED' OR (r.status = 'COMPLETED' AND r.passed IS NOT NULL))";
const passed = "(r.status = 'COMPLETED' AND r.passed)";
const count = (condition: string) => `coalesce(sum(r.change) FILTER (WHERE ${condition}), 0)`;
// In quarters of a millionth, so that scores from 1 to 5 scaled to 0 to 1 are whole.
const score =
  "(CASE WHEN r.definition_type IN ('NATURALNESS', 'STYLE') THEN r.score_micro - 1000000 ELSE 4 * r.score_micro END)::numeric";
const scored = `${counted} AND r.score_micro IS NOT NULL`;

/** SQL by column. */
const ofTests = { tests: count(counted), tests_passed: count(passed) };
const ofEvaluations = {
  evaluations: count(counted),
  evaluations_passed: count(passed),
  scores: count(scored),
  score_sum: `coalesce(sum(r.change * ${score}) FILTER (WHERE ${scored}), 0)`,
  score_squares: `coalesce(sum(r.change * ${score} * ${score}) FILTER (WHERE ${scored}), 0)`,
};

type Source = "test" | "evaluation";

const rollups = [
  { table: "task_day", source: "test" },
  { table: "task_definition_day", source: "evaluation" },
] as const;

/** The rows with `is_monitoring`; that of evaluations is their run's, which is read once a run. */
const monitored = {
  test: (rows: string) => `SELECT r.*, r.run_type = 'MONITORING' AS is_monitoring FROM (${rows}) r`,
  evaluation: (rows: string) => `SELECT r.*, run.is_monitoring FROM (${rows}) r
          JOIN (SELECT d.application_id, d.run_id, coalesce((SELECT run.type = 'MONITORING' FROM experiments.run
              WHERE run.application_id = d.application_id AND run.id = d.run_id), false) AS is_monitoring
            FROM (SELECT DISTINCT r.application_id, r.run_id FROM (${rows}) r) d OFFSET 0) run USING (application_id, run_id)`,
};

/** Adds `rows` times their `change`. The fixed order of keys prevents deadlocks. */
function addTo(table: string, source: Source, rows: string): string {
  const groups = ["application_id", "task_id", ...(table === "task_day" ? [] : ["definition_id"])];
  const sums = Object.entries(source === "test" ? ofTests : ofEvaluations);
  const columns = sums.map(([column]) => column);
  const key = [...groups, "day", "is_monitoring"];
  return `
        INSERT INTO experiments.${table} AS stored (${[...key, ...columns].join(", ")})
        SELECT ${groups.map((column) => `r.${column}`).join(", ")}, (r.created_at AT TIME ZONE 'UTC')::date,
          r.is_monitoring, ${sums.map(([, sql]) => sql).join(", ")}
        FROM (${monitored[source](rows)}) r
        GROUP BY ${key.map((_, index) => index + 1).join(", ")}
        ORDER BY ${key.map((_, index) => index + 1).join(", ")}
        ON CONFLICT (${key.join(", ")}) DO UPDATE SET
          ${columns.map((column) => `${column} = stored.${column} + excluded.${column}`).join(", ")}`;
}

const inserted = "SELECT *, 1 AS change FROM inserted";
const deleted = "SELECT *, -1 AS change FROM deleted";
const operations = {
  INSERT: { rows: inserted, tables: "NEW TABLE AS inserted" },
  UPDATE: { rows: `${inserted} UNION ALL ${deleted}`, tables: "NEW TABLE AS inserted OLD TABLE AS deleted" },
  DELETE: { rows: deleted, tables: "OLD TABLE AS deleted" },
};
const triggerOf = (operation: string) => `task_day_${operation.toLowerCase()}`;

function triggersOf(source: Source, table: string): string {
  const branches = Object.entries(operations).map(
    ([operation, { rows }]) => `IF TG_OP = '${operation}' THEN ${addTo(table, source, rows)}; END IF;`,
  );
  const triggers = Object.entries(operations).map(
    ([operation, { tables }]) => `
    CREATE TRIGGER ${triggerOf(operation)} AFTER ${operation} ON experiments.${source} REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION experiments.${source}_task_day_keep();`,
  );
  return `
    CREATE FUNCTION experiments.${source}_task_day_keep() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      ${branches.join("\n      ")}
      RETURN NULL;
    END $$;
    ${triggers.join("")}`;
}

export const taskDayTriggers = triggersOf("test", "task_day") + triggersOf("evaluation", "task_definition_day");
const triggerDrops = ["test", "evaluation"].flatMap((source) =>
  Object.keys(operations).map((operation) => `DROP TRIGGER ${triggerOf(operation)} ON experiments.${source};`),
);
export const dropTaskDayTriggers = `
      ${triggerDrops.join(" ")}
      DROP FUNCTION experiments.test_task_day_keep, experiments.evaluation_task_day_keep;`;

// Rows are changed in place, for which pages keep room.
const tables = `
  CREATE TABLE experiments.task_day (
    application_id uuid NOT NULL,
    task_id uuid NOT NULL,
    day date NOT NULL,
    is_monitoring boolean NOT NULL,
    tests bigint NOT NULL,
    tests_passed bigint NOT NULL,
    CONSTRAINT task_day_pkey PRIMARY KEY (application_id, task_id, day, is_monitoring)
  ) WITH (fillfactor = 70);
  CREATE INDEX task_day_day ON experiments.task_day (application_id, day);

  CREATE TABLE experiments.task_definition_day (
    application_id uuid NOT NULL,
    task_id uuid NOT NULL,
    definition_id uuid NOT NULL,
    day date NOT NULL,
    is_monitoring boolean NOT NULL,
    evaluations bigint NOT NULL,
    evaluations_passed bigint NOT NULL,
    scores bigint NOT NULL,
    score_sum numeric NOT NULL,
    score_squares numeric NOT NULL,
    CONSTRAINT task_definition_day_pkey PRIMARY KEY (application_id, task_id, definition_id, day, is_monitoring)
  ) WITH (fillfactor = 70);
  CREATE INDEX task_definition_day_day ON experiments.task_definition_day (application_id, day);

  ${backfillTable}
  ${tenantPolicy("experiments.task_day")}
  ${tenantPolicy("experiments.task_definition_day")}
  GRANT SELECT, INSERT, UPDATE ON experiments.task_day, experiments.task_definition_day TO ems_experiments;`;

const columns = "evaluations, evaluations_passed, scores, score_sum, score_squares";
// A task's day has a row of its tests and one by definition, which their readers add up: so each result is summed once.
const views = `
  CREATE VIEW reporting.task_day_v1 AS
    SELECT application_id, task_id, day, is_monitoring, tests, tests_passed, 0::bigint AS evaluations,
      0::bigint AS evaluations_passed, 0::bigint AS scores, 0::numeric AS score_sum, 0::numeric AS score_squares
    FROM experiments.task_day
    UNION ALL
    SELECT application_id, task_id, day, is_monitoring, 0, 0, ${columns} FROM experiments.task_definition_day;

  CREATE VIEW reporting.task_definition_day_v1 AS
    SELECT application_id, task_id, definition_id, day, is_monitoring, ${columns} FROM experiments.task_definition_day;

  GRANT USAGE ON SCHEMA reporting TO ems_catalog;
  GRANT SELECT ON reporting.task_day_v1, reporting.task_definition_day_v1 TO ems_catalog, ems_reporting;
  GRANT SELECT ON reporting.task_stat_v1 TO ems_catalog;`;
