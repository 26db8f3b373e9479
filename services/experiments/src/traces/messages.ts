import { fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { messageOf } from "@ems/kit/message";
import { TraceSchema } from "@ems/proto/experiments/v1/trace";
import type { TraceRow } from "./entity.ts";
import { type StoredStep, traceStep } from "./step-row.ts";

export function trace(row: TraceRow, steps: readonly StoredStep[]): MessageInitShape<typeof TraceSchema> {
  const [input, output] = [BigInt(row.totalPromptTokens), BigInt(row.totalCompletionTokens)];
  return messageOf(TraceSchema, {
    ...row,
    user: row.endUser,
    traceId: row.id,
    tokens: { input, output },
    totalDurationMs: BigInt(row.totalDurationMs),
    totalPromptTokens: input,
    totalCompletionTokens: output,
    metadata: fromJson(ValueSchema, row.metadata),
    evals: row.evals ?? [],
    steps: steps.map(traceStep),
  });
}
