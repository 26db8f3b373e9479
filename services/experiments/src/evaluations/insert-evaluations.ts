import { insertStatement } from "@ems/kit/db/insert";
import type { Transaction } from "@ems/kit/db/transaction";
import { addTo, rollups } from "../rollups/index.ts";
import { EvaluationEntity, type EvaluationRow } from "./entity.ts";

/** Inserts the evaluations and adds them to their rollups, in one deferred statement. */
export function insertEvaluations(tx: Transaction, evaluations: readonly EvaluationRow[]): void {
  if (evaluations.length === 0) return;
  const { text, values } = insertStatement(EvaluationEntity, evaluations);
  const statement = `
    WITH inserted AS (${text} RETURNING *), run_definitions AS (${addTo(rollups.runDefinition, "inserted")})
    ${addTo(rollups.evaluationDay, "inserted")}`;
  tx.defer(statement, values);
}
