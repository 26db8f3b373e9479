import type { Transaction } from "@ems/kit/db/transaction";

// Locks topics, so that no task is added to a topic that is being deleted. Locking in id order prevents deadlocks.
const lockTopics = `SELECT FROM catalog.topic WHERE application_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`;
const hasNoTasks = "NOT EXISTS (SELECT FROM catalog.task WHERE application_id = $1 AND topic_id = $2)";
const deletion = [
  `UPDATE catalog.document SET topic_id = NULL WHERE application_id = $1 AND topic_id = $2 AND ${hasNoTasks}`,
  `DELETE FROM catalog.fact_topic WHERE application_id = $1 AND topic_id = $2 AND ${hasNoTasks}`,
  `DELETE FROM catalog.eval_definition_topic WHERE application_id = $1 AND topic_id = $2 AND ${hasNoTasks}`,
  `DELETE FROM catalog.topic WHERE application_id = $1 AND id = $2 AND ${hasNoTasks}`,
];

/** Defers `move`, which moves a task out of its topic, and deletes that topic if the task was its last one. */
export function deferMove(
  tx: Transaction,
  applicationId: string,
  { from, to }: { readonly from: string; readonly to: string | null },
  move: () => void,
): void {
  tx.defer(lockTopics, [applicationId, [from, ...(to === null ? [] : [to])]]);
  move();
  for (const statement of deletion) tx.defer(statement, [applicationId, from]);
}
