import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { toTraceId } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import { readJudgeTexts } from "./read-judge-texts.ts";

type Handler = Handlers<typeof TraceWorkService>["getJudgeTexts"];

/** Returns those texts of a trace that a judge reads. */
export function getJudgeTexts(deps: Pick<Deps, "stores" | "arrivalRules">): Handler {
  return async ({ traceId, steps, needsQuestion }, call) => {
    const request = { traceId: toTraceId(traceId), needsQuestion, ...definedFields({ steps }) };
    const found = await readJudgeTexts(deps, call, request);
    if (found === undefined) return {};
    const { id, createdAt } = found;
    if (found.state === "archived") return { traceId: id, createdAt: timestampFromDate(createdAt), isArchived: true };
    const { question, output, context, hasRetriever, timestamp, testId } = found;
    return {
      traceId: id,
      createdAt: timestampFromDate(createdAt),
      timestamp: timestampFromDate(timestamp),
      context: [...context],
      hasRetriever,
      ...definedFields({ testId: testId ?? undefined, question, output }),
    };
  };
}
