import { inArchive } from "@ems/archive";
import { notFound } from "@ems/kit/errors";
import { dateOf } from "@ems/kit/json/timestamp";
import type { Call } from "@ems/kit/rpc/call";
import type { GetJudgeTextsResponse } from "@ems/proto/traces/v1/trace_work_service";

/** Whether the texts are those of a trace that can be read. */
export function isStored(texts: GetJudgeTextsResponse): texts is GetJudgeTextsResponse & { traceId: string } {
  return texts.traceId !== undefined && !texts.isArchived;
}

/** Why a trace has no texts: it is in the archive, or there is none. */
export function missingTexts(call: Call, { createdAt, isArchived }: GetJudgeTextsResponse) {
  return isArchived && createdAt !== undefined ? inArchive(call, "The trace", dateOf(createdAt)) : notFound("Trace");
}
