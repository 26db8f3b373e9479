import type { JsonValue } from "@bufbuild/protobuf";
import { inArchive } from "@ems/archive";
import { notFound } from "@ems/kit/errors";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import type { Call } from "@ems/kit/rpc/call";
import type { GetJudgeTextsResponse } from "@ems/proto/traces/v1/trace_work_service";
import { toQuestion } from "@ems/traces-client";

type Texts = Pick<GetJudgeTextsResponse, "question" | "output" | "context" | "hasRetriever">;

const nothing: Texts = { context: [], hasRetriever: false };

/** Builds the texts that a judge reads. Live traffic has no prompt, so its question comes from the trace. */
export function buildInput(prompt: JsonValue, { question = "", output, context, hasRetriever }: Texts = nothing) {
  return {
    question: prompt === null ? question : toQuestion(prompt),
    ...(output !== undefined && { output }),
    context: [...context],
    hasRetriever,
  };
}

/** Returns true if the texts were read from a trace in PostgreSQL. */
export function isStored(texts: GetJudgeTextsResponse): texts is GetJudgeTextsResponse & { traceId: string } {
  return texts.traceId !== undefined && !texts.isArchived;
}

/** Returns the error for a trace whose texts are missing, because it is archived or does not exist. */
export function missingTexts(call: Call, { createdAt, isArchived }: GetJudgeTextsResponse) {
  return isArchived && createdAt !== undefined
    ? inArchive(call, "The trace", dateFromTimestamp(createdAt))
    : notFound("Trace");
}
