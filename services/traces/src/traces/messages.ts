import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { toValue } from "@ems/kit/json/free-value";
import { buildMessage } from "@ems/kit/message";
import { TraceSchema } from "@ems/proto/experiments/v1/trace";
import type { StoredAttachment } from "../attachments/index.ts";
import { type ExternalEvaluationRow, externalEvaluation } from "../external-evaluations/index.ts";
import { type FeedbackRow, traceFeedback } from "../feedback/index.ts";
import type { TraceRow } from "./entity.ts";
import { type StoredStep, traceStep } from "./step-row.ts";
import { knownCost } from "./totals.ts";

/** A trace as returned, with the evaluations of its test, which are not stored with the trace. */
export interface AnsweredTrace extends Omit<TraceRow, "evals"> {
  readonly evals: JsonObject[] | null;
  /** The trace that stores the steps which arrived after this one was archived. */
  readonly continuedBy?: string | null;
  /** Absent in lists. */
  readonly question?: string;
  readonly answer?: string;
  readonly feedback?: readonly FeedbackRow[] | undefined;
  readonly attachments?: readonly StoredAttachment[] | undefined;
  readonly externalEvaluations?: readonly ExternalEvaluationRow[] | undefined;
}

export function trace(row: AnsweredTrace, steps: readonly StoredStep[]): MessageInitShape<typeof TraceSchema> {
  const [input, output] = [BigInt(row.totalPromptTokens), BigInt(row.totalCompletionTokens)];
  return buildMessage(TraceSchema, {
    ...row,
    user: row.endUser,
    traceId: row.id,
    tokens: {
      input,
      output,
      cachedInput: BigInt(row.totalCachedTokens),
      cacheWrite: BigInt(row.totalCacheWriteTokens),
      reasoning: BigInt(row.totalReasoningTokens),
    },
    totalCost: knownCost(row),
    unpricedSteps: BigInt(row.unpricedSteps),
    totalDurationMs: BigInt(row.totalDurationMs),
    durationUs: row.durationUs === null ? BigInt(row.totalDurationMs) * 1_000n : BigInt(row.durationUs),
    totalPromptTokens: input,
    totalCompletionTokens: output,
    replacedCharacters: BigInt(row.replacedCharacters),
    metadata: toValue(row.metadata),
    evals: row.evals ?? [],
    steps: steps.map(traceStep),
    attachments: (row.attachments ?? []).map(({ hash, mediaType, size }) => ({ hash, mediaType, bytes: BigInt(size) })),
    feedback: (row.feedback ?? []).map(traceFeedback),
    externalEvaluations: (row.externalEvaluations ?? []).map(externalEvaluation),
  });
}
