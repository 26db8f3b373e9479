import type { JsonValue } from "@bufbuild/protobuf";
import type { GetJudgeTextsResponse } from "@ems/proto/traces/v1/trace_work_service";
import { questionOf } from "@ems/traces-client";

type Texts = Pick<GetJudgeTextsResponse, "question" | "output" | "context" | "hasRetriever">;

const nothing: Texts = { context: [], hasRetriever: false };

/** The texts that a judge reads. Live traffic has no prompt: the trace says what was asked. */
export function inputOf(prompt: JsonValue, { question = "", output, context, hasRetriever }: Texts = nothing) {
  return {
    question: prompt === null ? question : questionOf(prompt),
    ...(output !== undefined && { output }),
    context: [...context],
    hasRetriever,
  };
}
