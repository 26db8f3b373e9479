// The rules of outcome.ts in SQL, for PostgreSQL and ClickHouse.

/** SQL condition: the test is ERRORED. Archived tests from before the column `error_cause` have only their status. */
export const isErroredSql = (test: string) => `(${test}.status = 'FAILED' OR ${test}.error_cause IS NOT NULL)`;

/** SQL for the outcome of a test; null until it ends. */
export const testOutcomeSql = (test: string) => `CASE WHEN ${test}.status IN ('PENDING', 'IN_PROGRESS') THEN NULL
  WHEN ${isErroredSql(test)} THEN 'ERRORED' WHEN ${test}.passed IS NULL THEN 'NONE'
  WHEN ${test}.passed THEN 'PASSED' ELSE 'FAILED' END`;

/** SQL for the outcome of an evaluation; null until it ends. */
export const evaluationOutcomeSql = (
  evaluation: string,
) => `CASE WHEN ${evaluation}.status IN ('PENDING', 'IN_PROGRESS')
  THEN NULL WHEN ${evaluation}.status = 'FAILED' THEN 'ERRORED'
  WHEN ${evaluation}.status = 'SKIPPED' OR ${evaluation}.passed IS NULL THEN 'NONE'
  WHEN ${evaluation}.passed THEN 'PASSED' ELSE 'FAILED' END`;
