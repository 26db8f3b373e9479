// Marks calibrations for recalculation. The loop in store-calibrations.ts recalculates them.

import type { Transaction } from "@ems/kit/db/transaction";
import type { EvaluationRow } from "@ems/results";

interface Owner {
  readonly applicationId: string;
  readonly orgId: string;
}

// Locks rows in the order of definition ids, which prevents deadlocks.
const mark = (definitions: string) => `
  INSERT INTO experiments.judge_calibration (application_id, definition_id, org_id)
  SELECT DISTINCT $1::uuid, found.definition_id, $2 FROM (${definitions}) found ORDER BY found.definition_id
  ON CONFLICT (application_id, definition_id) DO UPDATE SET marks = judge_calibration.marks + 1`;

const ofDefinition = mark("SELECT $3::uuid AS definition_id");

/** Marks the definition of an annotation; an annotation of a whole answer measures no judge. */
export function markDefinition(tx: Transaction, { applicationId, orgId }: Owner, definitionId: string | null): void {
  if (definitionId !== null) tx.defer(ofDefinition, [applicationId, orgId, definitionId]);
}

const ofResults = mark(`SELECT e.definition_id
  FROM unnest($3::uuid[], $4::uuid[], $5::integer[], $6::text[], $7::text[])
    AS e (definition_id, test_id, definition_version, judge_version, model)
  WHERE EXISTS (SELECT FROM experiments.human_annotation h WHERE h.application_id = $1 AND h.test_id = e.test_id
      AND h.definition_id = e.definition_id)
    OR EXISTS (SELECT FROM experiments.judge_calibration c WHERE c.application_id = $1 AND c.definition_id = e.definition_id
      AND (c.definition_version, c.judge_version, c.model)
        IS DISTINCT FROM (e.definition_version, e.judge_version, e.model))`);

/** Marks definitions with results for annotated tests, or with results from a different judge than the measured one. */
export function markResults(tx: Transaction, { applicationId, orgId }: Owner, results: readonly EvaluationRow[]): void {
  if (results.length === 0) return;
  tx.defer(ofResults, [
    applicationId,
    orgId,
    results.map((row) => row.definitionId),
    results.map((row) => row.testId),
    results.map((row) => row.definitionVersion),
    results.map((row) => row.judgeVersion),
    results.map((row) => row.model),
  ]);
}
