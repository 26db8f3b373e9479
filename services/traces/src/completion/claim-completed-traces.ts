// Offers complete traces: experiments claims them under a lease and confirms those that it has handled.

import type { JsonObject, JsonValue, MessageInitShape } from "@bufbuild/protobuf";
import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import { defineQueue, type Leased } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { CompletedTraceSchema, TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";

type Handler = Handlers<typeof TraceWorkService>["claimCompletedTraces"];

interface DueTrace {
  readonly applicationId: string;
  readonly orgId: string;
  readonly traceId: string;
  readonly dueAt: Date;
}

/** Data of a trace at the time of the claim. */
interface ReadTrace {
  readonly traceId: string;
  readonly testId: string | null;
  readonly steps: number;
  readonly cost: number | null;
  readonly inputTokens: string;
  readonly outputTokens: string;
  readonly cachedInputTokens: string;
  readonly cacheWriteTokens: string;
  readonly reasoningTokens: string;
  readonly unpricedSteps: number;
  readonly latencyMs: number;
  readonly metadata: JsonObject | JsonValue[];
  readonly answerMs: number | null;
}

const timeoutMs = 10_000;

export const completionQueue = defineQueue<Omit<DueTrace, "applicationId" | "traceId">, "traceId">({
  name: "traces.completion",
  table: "traces.trace_settling",
  key: { traceId: "uuid" },
  due: "due_at",
  lease: "leased_until",
  since: "due_at",
  columns: ["orgId", "dueAt"],
  fairness: "applications",
});

// Skips traces that received a step after the claim, which are due later now, and deleted traces.
const read = `SELECT t.id AS "traceId", t.test_id AS "testId", t.steps, CASE WHEN t.priced_steps > 0 OR t.total_cost > 0 OR t.pinned & 4 > 0 THEN t.total_cost END AS cost,
    t.total_cached_tokens::text AS "cachedInputTokens", t.total_cache_write_tokens::text AS "cacheWriteTokens",
    t.total_reasoning_tokens::text AS "reasoningTokens", t.unpriced_steps AS "unpricedSteps", t.total_prompt_tokens::text AS "inputTokens", t.total_completion_tokens::text AS "outputTokens",
    coalesce(extract(epoch FROM t.ended_at - t.started_at) * 1000, 0)::float8 AS "latencyMs", t.metadata,
    s.answer_ms AS "answerMs"
  FROM traces.trace_settling s JOIN traces.trace t ON t.application_id = s.application_id AND t.id = s.trace_id
  WHERE s.application_id = $1 AND s.trace_id = ANY ($2::uuid[]) AND s.due_at <= now()`;

/** Claims due traces of all tenants under a lease, and returns them with their current totals. */
export function claimCompletedTraces(relay: RelayDatabase, database: Database): Handler {
  return async ({ limit, leaseMs }) => {
    const claimed = await completionQueue.on(relay).claim({ rowsMax: limit, leaseMs });
    claimed.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.traceId < b.traceId ? -1 : 1));
    const byApplication = [...Map.groupBy(claimed, ({ applicationId }) => applicationId)];
    const found = await Promise.all(
      byApplication.map(async ([applicationId, due]) => {
        const values = [applicationId, due.map(({ traceId }) => traceId)];
        const statement = { name: "completed-traces", text: read, values };
        return database.readScoped<ReadTrace>({ applicationId }, monotonicMs() + timeoutMs, statement);
      }),
    );
    const byId = new Map(found.flat().map((trace) => [trace.traceId, trace]));
    return { traces: claimed.flatMap((due) => completed(due, byId.get(due.traceId))) };
  };
}

function completed(
  due: Leased<"traceId"> & DueTrace,
  trace: ReadTrace | undefined,
): MessageInitShape<typeof CompletedTraceSchema>[] {
  if (trace === undefined) return [];
  const { testId, traceId, steps, latencyMs, cost, metadata, answerMs } = trace;
  const isLive = testId === null;
  return [
    {
      traceId,
      steps,
      latencyMs,
      cost: cost ?? 0,
      hasCost: cost !== null,
      applicationId: due.applicationId,
      orgId: due.orgId,
      inputTokens: BigInt(trace.inputTokens),
      outputTokens: BigInt(trace.outputTokens),
      cachedInputTokens: BigInt(trace.cachedInputTokens),
      cacheWriteTokens: BigInt(trace.cacheWriteTokens),
      reasoningTokens: BigInt(trace.reasoningTokens),
      unpricedSteps: BigInt(trace.unpricedSteps),
      claim: toClaim(due),
      ...definedFields({
        testId: testId ?? undefined,
        answerMs: answerMs ?? undefined,
        taskId: isLive ? idIn(metadata, "ems.task.id") : undefined,
        topicId: isLive ? idIn(metadata, "ems.topic.id") : undefined,
      }),
    },
  ];
}

const toClaim = ({ applicationId, traceId, leasedUntil }: Leased<"traceId">) =>
  `${applicationId}/${traceId}/${leasedUntil.getTime()}`;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function idIn(metadata: JsonObject | JsonValue[], key: string): string | undefined {
  const value = Array.isArray(metadata) ? undefined : metadata[key];
  const id = typeof value === "string" ? value.trim().toLowerCase() : "";
  return uuid.test(id) ? id : undefined;
}
