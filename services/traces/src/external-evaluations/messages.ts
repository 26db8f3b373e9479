import { buildMessage } from "@ems/kit/message";
import { ExternalEvaluationSchema } from "@ems/proto/experiments/v1/trace";
import type { ExternalEvaluationRow } from "./entity.ts";

export const externalEvaluation = (row: ExternalEvaluationRow) => buildMessage(ExternalEvaluationSchema, row);
