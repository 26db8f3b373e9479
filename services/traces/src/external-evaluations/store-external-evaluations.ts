// Stores evaluations that other tools made of traces.

import type { Transaction } from "@ems/kit/db/transaction";
import { makeStorable } from "@ems/kit/readers";
import type { Redaction, Redactor } from "@ems/kit/redaction";
import { ExternalEvaluationEntity, type ExternalEvaluationRow } from "./entity.ts";
import { callKey, findCalls, lockResponses } from "./waiting.ts";

/** An evaluation as received. */
export interface ExternalEvaluation {
  readonly id: string;
  /** The trace in whose context it was sent. */
  readonly traceId: string | undefined;
  /** Id of the evaluated response, whose trace takes precedence. */
  readonly responseId: string | undefined;
  readonly name: string;
  readonly score: number | null;
  readonly label: string | null;
  readonly explanation: string | null;
  readonly source: string;
  readonly createdAt: Date;
}

interface Owner {
  readonly applicationId: string;
  readonly orgId: string;
}

/** Applies the application's redaction rules to labels and explanations. */
export async function redactExternalEvaluations(
  redactor: Redactor | undefined,
  applicationId: string,
  received: readonly ExternalEvaluation[],
): Promise<readonly ExternalEvaluation[]> {
  if (redactor === undefined || received.length === 0) return received;
  return redactor.redact(applicationId, "evaluation", (redaction) => redactEvaluations(redaction, received));
}

export function* redactEvaluations(
  redaction: Redaction,
  received: readonly ExternalEvaluation[],
): Generator<void, ExternalEvaluation[]> {
  const redacted: ExternalEvaluation[] = [];
  for (const evaluation of received) {
    const label = evaluation.label && (yield* redaction.text(evaluation.label));
    const explanation = evaluation.explanation && (yield* redaction.text(evaluation.explanation));
    redacted.push({ ...evaluation, label, explanation });
  }
  return redacted;
}

/** Stores evaluations with the admitted names. Repeats change nothing. Call it after the traces are locked. */
export async function storeExternalEvaluations(
  tx: Transaction,
  owner: Owner,
  admitted: readonly ExternalEvaluation[],
  now: Date,
): Promise<void> {
  if (admitted.length === 0) return;
  const { applicationId } = owner;
  const callIds = admitted.flatMap(({ responseId }) => (responseId === undefined ? [] : callKey(responseId)));
  if (callIds.length > 0) lockResponses(tx, applicationId, "evaluations");
  const calls = await findCalls(tx, applicationId, callIds, now);
  const rows = new Map(admitted.map((evaluation) => [evaluation.id, evaluationRow(owner, evaluation, calls)]));
  await tx.insert(
    ExternalEvaluationEntity,
    [...rows.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    "ignore",
  );
}

function evaluationRow(
  { applicationId, orgId }: Owner,
  { traceId, responseId, name, label, explanation, source, ...evaluation }: ExternalEvaluation,
  calls: ReadonlyMap<string, readonly string[]>,
): ExternalEvaluationRow {
  const callId = responseId === undefined ? null : callKey(responseId);
  const found = calls.get(callId ?? "") ?? [];
  const isFinal = traceId === undefined ? found.length > 0 : found.includes(traceId);
  return {
    ...evaluation,
    applicationId,
    orgId,
    traceId: isFinal && traceId !== undefined ? traceId : (found[0] ?? traceId ?? null),
    contextId: traceId ?? null,
    callId: isFinal ? null : callId,
    name: makeStorable(name),
    label: label === null ? null : makeStorable(label),
    explanation: explanation === null ? null : makeStorable(explanation),
    source: makeStorable(source),
  };
}
