// Checks the names of evaluations in trace events.

import type { Transaction } from "@ems/kit/db/transaction";
import { itemMessage } from "@ems/kit/json/truncate";
import { admitNames, type ExternalEvaluation, tooManyNames } from "../external-evaluations/index.ts";
import type { TraceUpdate, UpdateResult } from "../traces/index.ts";

type Evaluated = Pick<TraceUpdate, "traceId" | "evaluations">;
const listEvaluations = (update: Evaluated | UpdateResult): readonly ExternalEvaluation[] =>
  "traceId" in update ? (update.evaluations ?? []) : [];

/** Rejects updates with evaluations whose names exceed the limit of the application. */
export async function admitEvaluations<Update extends Evaluated>(
  tx: Transaction,
  applicationId: string,
  updates: readonly (Update | UpdateResult)[],
): Promise<(Update | UpdateResult)[]> {
  const admitted = new Set(await admitNames(tx, applicationId, updates.flatMap(listEvaluations)));
  return updates.map((update) => {
    const index = listEvaluations(update).findIndex((evaluation) => !admitted.has(evaluation));
    return index === -1 ? update : { error: itemMessage(`externalEvaluations.${index}.name`, tooManyNames) };
  });
}

/** Returns the evaluations of those updates that were stored. */
export function storedEvaluations(
  updates: readonly (Evaluated | UpdateResult)[],
  results: readonly UpdateResult[],
): ExternalEvaluation[] {
  return updates.flatMap((update, index) => {
    const result = results[index];
    if (result === undefined || "error" in result || !("traceId" in update)) return [];
    // Data of an archived trace goes to the trace that continues it.
    return listEvaluations(update).map((evaluation) => ({ ...evaluation, traceId: update.traceId }));
  });
}
