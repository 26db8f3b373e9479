// Pure: converts stored traces and steps to events of `POST /v0/ingest`, which create the same traces again.

import type { JsonObject } from "@bufbuild/protobuf";
import { writeJson } from "@ems/kit/json/write";
import { definedFields } from "@ems/kit/patch";
import { TraceStepSchema } from "@ems/proto/experiments/v1/trace";
import type { ExternalEvaluationRow } from "../external-evaluations/index.ts";
import { type StoredStep, statedTotals, type TraceRow, traceStep } from "../traces/index.ts";

/** Builds the event of a trace with its first steps. */
export function traceEvent(
  row: TraceRow,
  evaluations: readonly ExternalEvaluationRow[],
  steps: readonly StoredStep[],
): JsonObject {
  const { id, referenceId, testId, metadata, service, version, environment, endUser, session } = row;
  const fields = { referenceId, testId, service, version, environment, user: endUser, session };
  return {
    type: "trace",
    traceId: id,
    timestamp: row.timestamp.toISOString(),
    ...withoutNulls(fields),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(row.evals !== null && { evals: row.evals }),
    ...(evaluations.length > 0 && { externalEvaluations: evaluations.map(externalEvaluation) }),
    ...totals(row),
    steps: steps.map(eventStep),
  };
}

/** Builds a further event of a trace, which adds steps. */
export function continuedEvent(traceId: string, steps: readonly StoredStep[]): JsonObject {
  return { type: "trace", traceId, steps: steps.map(eventStep) };
}

/** Returns the totals that the steps do not determine. */
function totals(row: TraceRow): JsonObject {
  const { totalDurationMs, ...stated } = statedTotals(row);
  const ms = totalDurationMs ?? (isExactInMs(row) ? undefined : Number(row.durationUs) / 1_000);
  return definedFields({ ...stated, totalDurationMs: ms });
}

/** Returns true if the steps determine the duration: their times have whole milliseconds. */
function isExactInMs({ startedUs, endedUs }: TraceRow): boolean {
  return [startedUs, endedUs].every((us) => us === null || BigInt(us) % 1_000n === 0n);
}

function externalEvaluation({ name, score, label, explanation, source }: ExternalEvaluationRow): JsonObject {
  return { name, ...withoutNulls({ score, label, explanation }), source };
}

function eventStep(row: StoredStep): JsonObject {
  const { traceId: _traceId, replacedCharacters: _, durationUs, ...step } = writeJson(TraceStepSchema, traceStep(row));
  return typeof durationUs === "number" ? { ...step, durationMs: durationUs / 1_000 } : step;
}

function withoutNulls(fields: Readonly<Record<string, string | number | null>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
