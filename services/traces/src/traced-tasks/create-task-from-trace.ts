import { failure } from "@ems/kit/errors";
import { toValue } from "@ems/kit/json/free-value";
import { definedFields } from "@ems/kit/patch";
import { type Call, forward } from "@ems/kit/rpc/call";
import { idempotencyKeyHeader, writeIdempotencyKey } from "@ems/kit/rpc/idempotency-key";
import type { Handlers } from "@ems/kit/rpc/service";
import { TaskType } from "@ems/proto/catalog/v1/task_service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import type { Deps } from "../deps.ts";
import { readTrace } from "./read-trace.ts";
import { taskTexts } from "./task-texts.ts";

type Handler = Handlers<typeof TraceService>["createTaskFromTrace"];

export function createTaskFromTrace({
  stores,
  plans,
  arrivalRules,
}: Pick<Deps, "stores" | "plans" | "arrivalRules">): Handler {
  return async (request, call) => {
    const make = async () => {
      const trace = await readTrace({ stores, arrivalRules }, call, request.traceId);
      const texts = taskTexts(request, trace);
      if ("refusal" in texts) throw failure("STATE_CONFLICT", texts.refusal);
      const { title, description, prompt, expected } = texts;
      const { type = TaskType.STATIC, topicId, status, metadata, tagIds, evalIds } = request;
      const { task, earlierTaskIds } = await plans.createTracedTask(
        {
          task: { title, description, type, inputExamples: [prompt], ...definedFields({ topicId, status, metadata }) },
          traceId: trace.id,
          tagIds,
          evalIds,
          ...(expected !== undefined && { config: { expected: toValue(expected) } }),
        },
        withKey(call),
      );
      if (task === undefined) throw failure("INTERNAL", "Catalog returned no task");
      return { task, earlierTaskIds };
    };
    return stores.database.changeAfter(call, make, async (_tx, made) => made);
  };
}

/** Passes on the caller's idempotency key, so that a retry after a crash finds the task that catalog has created. */
function withKey(call: Call) {
  const options = forward(call);
  if (call.idempotency === undefined) return options;
  return {
    ...options,
    headers: { ...options.headers, [idempotencyKeyHeader]: writeIdempotencyKey(call.idempotency.key) },
  };
}
