import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * The tasks whose results of the last 30 days have one of the levels of each kind in `levels`, such as
 * `{"confidence": ["HIGH", "MEDIUM"], "status": ["success"]}`. The formulas, in this order of operations, are those of
 * metrics/metrics.ts. Nested loops are refused: from stale statistics the planner expects one row of each side.
 */
export class FindMeasuredTasks1763804300000 implements MigrationInterface {
  readonly name = "FindMeasuredTasks1763804300000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION catalog.find_measured_tasks(levels jsonb) RETURNS SETOF uuid
      LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_nestloop = off SET jit = off
      SET max_parallel_workers_per_gather = 0 SET work_mem = '32MB' AS $$
      DECLARE
        tenant uuid := nullif(current_setting('ems.application_id', true), '')::uuid;
        z CONSTANT double precision := 1.959963984540054;
      BEGIN
        RETURN QUERY
        WITH sums AS MATERIALIZED (
          SELECT d.task_id, sum(d.tests)::double precision AS tests, sum(d.tests_passed)::double precision AS passed,
            sum(d.scores) AS scores, sum(d.score_sum) AS score_sum, sum(d.score_squares) AS score_squares
          FROM reporting.task_day_v1 d
          WHERE d.application_id = tenant AND d.day > (now() AT TIME ZONE 'UTC')::date - 30
          GROUP BY d.task_id
        ), rated AS MATERIALIZED (
          SELECT task_id, (100 * passed) / nullif(tests, 0) AS pass_rate,
            100 * ((z * sqrt(((passed / nullif(tests, 0)) * (1 - passed / nullif(tests, 0))) / nullif(tests, 0)
              + (z * z) / (4 * tests * nullif(tests, 0)))) / (1 + (z * z) / nullif(tests, 0))) AS half_width,
            CASE WHEN scores >= 2 THEN scores * score_squares - score_sum * score_sum END AS squares,
            scores * (scores - 1) AS pairs
          FROM sums
        ), levelled AS MATERIALIZED (
          SELECT task_id, pass_rate,
            CASE WHEN half_width <= 5 THEN 'HIGH' WHEN half_width <= 15 THEN 'MEDIUM' ELSE 'LOW' END AS confidence,
            CASE WHEN squares <= 160000000000 * pairs THEN 'HIGH' WHEN squares <= 1000000000000 * pairs THEN 'MEDIUM'
              ELSE 'LOW' END AS stability
          FROM rated
        ), healthy AS MATERIALIZED (
          SELECT task_id, confidence, stability, pass_rate,
            CASE WHEN confidence <> 'LOW' THEN 0.6 * pass_rate
              + 0.2 * CASE confidence WHEN 'HIGH' THEN 100::double precision ELSE 50 END
              + 0.2 * CASE stability WHEN 'HIGH' THEN 100::double precision WHEN 'MEDIUM' THEN 50 ELSE 0 END END AS health
          FROM levelled
        )
        SELECT t.id FROM catalog.task t LEFT JOIN healthy h ON h.task_id = t.id
        WHERE t.application_id = tenant
          AND (levels -> 'confidence' IS NULL OR levels -> 'confidence' ? coalesce(h.confidence, 'LOW'))
          AND (levels -> 'stability' IS NULL OR levels -> 'stability' ? coalesce(h.stability, 'LOW'))
          AND (levels -> 'health' IS NULL OR levels -> 'health' ? CASE WHEN h.health >= 90 THEN 'HIGH'
            WHEN h.health >= 60 THEN 'MEDIUM' WHEN h.health IS NOT NULL THEN 'LOW' END)
          AND (levels -> 'status' IS NULL OR levels -> 'status' ? CASE WHEN h.pass_rate > 75 THEN 'success'
            WHEN h.pass_rate > 50 THEN 'warning' WHEN h.pass_rate IS NOT NULL THEN 'error' ELSE 'no-tests' END);
      END $$;
      REVOKE ALL ON FUNCTION catalog.find_measured_tasks FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION catalog.find_measured_tasks TO ems_catalog;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP FUNCTION catalog.find_measured_tasks");
  }
}
