import type { Transaction } from "@ems/kit/db/transaction";

// HUMAN_ANNOTATION issues are excluded, because only people resolve them. Tests from before the issue do not count,
// except for the issue's own test if it was rerun.
const resolve = `UPDATE experiments.issue issue SET status = 'RESOLVED', resolved_by_test_id = pass.test_id, modified_at = $6
  FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[]) pass (task_id, definition_id, test_id, created_at)
  WHERE issue.application_id = $1 AND issue.task_id = pass.task_id AND issue.status = 'OPEN' AND issue.type = 'BUG'
    AND issue.source <> 'HUMAN_ANNOTATION' AND issue.eval_definition_id IS NOT DISTINCT FROM pass.definition_id
    AND (issue.test_id IS NOT NULL OR issue.eval_definition_id IS NOT NULL)
    AND (pass.created_at > issue.last_occurred_at OR pass.test_id = issue.test_id)`;

/** A test that has ended, with its evaluations. */
interface EndedTest {
  readonly test: {
    readonly id: string;
    readonly taskId: string;
    readonly createdAt: Date;
    readonly passed: boolean | null;
  };
  readonly evaluations: readonly { readonly definitionId: string; readonly passed: boolean | null }[];
}

/** Resolves the issues that passed tests disprove, with one statement through `tx.defer`; none if no test passed. */
export function closePassed(tx: Transaction, applicationId: string, now: Date, ended: readonly EndedTest[]): void {
  const passes = ended.flatMap(({ test, evaluations }) => [
    ...(test.passed === true ? [{ test, definitionId: null }] : []),
    ...evaluations.filter(({ passed }) => passed === true).map(({ definitionId }) => ({ test, definitionId })),
  ]);
  if (passes.length === 0) return;
  tx.defer(resolve, [
    applicationId,
    passes.map(({ test }) => test.taskId),
    passes.map(({ definitionId }) => definitionId),
    passes.map(({ test }) => test.id),
    passes.map(({ test }) => test.createdAt),
    now,
  ]);
}
