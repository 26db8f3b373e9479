import { messageOf } from "@ems/kit/message";
import { EvaluationSchema } from "@ems/proto/experiments/v1/evaluation";
import { RecordedEvaluationSchema } from "@ems/proto/experiments/v1/test_service";
import type { EvaluationRow } from "./entity.ts";
import { definitionOf, type References } from "./references.ts";

/** `traceId` is that of the trace which names the evaluation's test. */
export function evaluation(row: EvaluationRow, references: References, traceId: string | undefined) {
  const definition = definitionOf(references, row);
  return messageOf(EvaluationSchema, {
    ...row,
    ...derivedFields(row),
    definition,
    traceId: traceId ?? null,
    inputTokens: bigintOf(row.inputTokens),
    outputTokens: bigintOf(row.outputTokens),
    costMicro: bigintOf(row.costMicro),
    replacedById: row.replacedBy,
  });
}

export const recordedEvaluation = (row: EvaluationRow) =>
  messageOf(RecordedEvaluationSchema, { ...row, ...derivedFields(row) });

/** The fields of a result that its row has in another form. */
export function derivedFields({
  scoreMicro,
  createdAt,
  modifiedAt,
}: Pick<EvaluationRow, "scoreMicro" | "createdAt" | "modifiedAt">) {
  return { score: scoreMicro === null ? null : Number(scoreMicro) / 1e6, modifiedAt: modifiedAt ?? createdAt };
}

const bigintOf = (value: string | null) => (value === null ? null : BigInt(value));
