import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { FeedbackThumbSchema } from "@ems/proto/experiments/v1/trace";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { toTraceId } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import {
  type Feedback,
  type FeedbackRow,
  feedbackRow,
  redactFeedback,
  storeFeedback,
  traceFeedback,
} from "../feedback/index.ts";
import { requireTrace } from "./find-trace.ts";

type Handler = Handlers<typeof TraceService>["recordTraceFeedback"];

/** Records an end user's feedback on a trace. */
export function recordTraceFeedback(
  deps: Pick<Deps, "stores" | "database" | "clock" | "newId" | "redactors">,
): Handler {
  return async ({ id, thumb, score = null, comment = null, user = null }, call) => {
    const received: Feedback = {
      id: deps.newId(),
      traceId: toTraceId(id),
      thumb: thumb === undefined ? null : enumName<NonNullable<FeedbackRow["thumb"]>>(FeedbackThumbSchema, thumb),
      score,
      comment,
      user,
      source: "API",
      createdAt: deps.clock.now(),
    };
    const { applicationId } = call.tenant;
    const [redacted = received] = await redactFeedback(await deps.redactors.of(call), applicationId, [received]);
    return deps.database.changeAfter(
      call,
      () => requireTrace(deps.stores, call, received.traceId),
      async (tx, trace) => {
        const feedback = { ...redacted, traceId: trace.id };
        await storeFeedback(tx, call.tenant, [feedback]);
        return { data: traceFeedback(feedbackRow(call.tenant, feedback)) };
      },
    );
  };
}
