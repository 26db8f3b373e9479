import { buildSelectList } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import { EvaluationEntity, type EvaluationRow } from "@ems/results";
import { type RunRow, runColumns } from "../runs/index.ts";
import { TestEntity, type TestRow } from "../tests/index.ts";
import { ExecutionEntity, type ExecutionRow } from "./entity.ts";

export interface LockedTests {
  readonly runs: ReadonlyMap<string, RunRow>;
  readonly tests: ReadonlyMap<string, TestRow>;
  /** Current evaluations of each test, without those that a rerun replaced. */
  readonly evaluations: ReadonlyMap<string, EvaluationRow[]>;
  /** Executions of tests that were started here and have not ended, by test id. */
  readonly executions: ReadonlyMap<string, ExecutionRow>;
}

// Every change to a run's tests locks the run first, so that later statements need no locks.
const lockRuns = `SELECT ${runColumns} FROM experiments.run r WHERE r.application_id = $1 AND r.id IN (
    SELECT t.run_id FROM experiments.test t WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[]))
  ORDER BY r.id FOR NO KEY UPDATE`;
const tests = `SELECT ${buildSelectList(TestEntity, "t")} FROM experiments.test t
  WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id`;
const evaluations = `SELECT ${buildSelectList(EvaluationEntity, "e")} FROM experiments.evaluation e
  WHERE e.application_id = $1 AND e.test_id = ANY ($2::uuid[]) AND e.replaced_by IS NULL ORDER BY e.id`;
const executions = `SELECT ${buildSelectList(ExecutionEntity, "x")} FROM experiments.test_execution x
  WHERE x.application_id = $1 AND x.test_id = ANY ($2::uuid[])`;

/** Locks the tests until the transaction ends and reads them, in one round trip. Ignores unknown ids. */
export async function lockTests(
  tx: Transaction,
  applicationId: string,
  testIds: readonly string[],
): Promise<LockedTests> {
  const values = [applicationId, testIds];
  const [runRows, testRows, evaluationRows, executionRows] = await Promise.all([
    tx.query<RunRow>({ name: "lock-runs", text: lockRuns, values }),
    tx.query<TestRow>({ name: "locked-tests", text: tests, values }),
    tx.query<EvaluationRow>({ name: "locked-evaluations", text: evaluations, values }),
    tx.query<ExecutionRow>({ name: "locked-executions", text: executions, values }),
  ]);
  return {
    runs: new Map(runRows.map((row) => [row.id, row])),
    tests: new Map(testRows.map((row) => [row.id, row])),
    evaluations: Map.groupBy(evaluationRows, ({ testId }) => testId),
    executions: new Map(executionRows.map((row) => [row.testId, row])),
  };
}
