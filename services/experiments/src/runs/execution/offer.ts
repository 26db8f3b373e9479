import type { Transaction } from "@ems/kit/db/transaction";
import { hasEnded } from "../outcomes/index.ts";
import type { OfferedEvaluation, Owner } from "./entity.ts";
import type { TestChange } from "./write-changes.ts";

// The attempt is increased, so that earlier claims cannot confirm this offer. A rerun of an ended test creates the row.
const offerJudging = `
  INSERT INTO experiments.test_execution AS stored
    (application_id, test_id, org_id, run_id, created_at, state, due_at, definitions, evaluations)
  SELECT $1, o.test_id, $2, o.run_id, o.created_at, 'judge', now(), '[]', o.evaluations
  FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::json[]) o (test_id, run_id, created_at, evaluations)
  ON CONFLICT (application_id, test_id) DO UPDATE SET state = 'judge', due_at = now(), attempt = stored.attempt + 1,
    definitions = '[]', evaluations = excluded.evaluations`;

/** Offers the open evaluations of tests to judges. Uses `tx.defer`. */
export function offer(tx: Transaction, { applicationId, orgId }: Owner, changes: readonly TestChange[]): void {
  const open = changes.filter(({ test }) => !hasEnded(test));
  if (open.length === 0) return;
  tx.defer({
    name: "offer-judging",
    text: offerJudging,
    values: [
      applicationId,
      orgId,
      open.map(({ test }) => test.id),
      open.map(({ test }) => test.runId),
      open.map(({ test }) => test.createdAt.toISOString()),
      open.map(({ evaluations }) =>
        JSON.stringify(evaluations.filter((evaluation) => !hasEnded(evaluation)).map(offered)),
      ),
    ],
  });
}

const offered = ({ id, definitionId, definitionType }: OfferedEvaluation): OfferedEvaluation => ({
  id,
  definitionId,
  definitionType,
});
