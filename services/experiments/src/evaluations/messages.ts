import { messageOf } from "@ems/kit/message";
import { RecordedEvaluationSchema } from "@ems/proto/experiments/v1/test_service";
import type { EvaluationRow } from "./entity.ts";

export const evaluation = (row: EvaluationRow) =>
  messageOf(RecordedEvaluationSchema, { ...row, ...derivedFields(row) });

/** The fields of a result that its row has in another form. Results are immutable: `modifiedAt` is `createdAt`. */
export function derivedFields({ scoreMicro, createdAt }: Pick<EvaluationRow, "scoreMicro" | "createdAt">) {
  return { score: scoreMicro === null ? null : Number(scoreMicro) / 1e6, modifiedAt: createdAt };
}
