import { inArchive } from "@ems/archive";
import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { HumanAnnotationQueueService } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { queueItemDays } from "@ems/proto/limits";
import { toTraceId } from "@ems/traces-client";
import type { Deps } from "../../deps.ts";
import { findTraces } from "../../traces/index.ts";
import { QueueEntity, type QueueRow } from "./entity.ts";

type Handler = Handlers<typeof HumanAnnotationQueueService>["addHumanAnnotationQueueItems"];

const dayMs = 86_400_000;

/** Adds traces of the caller's application to a queue. */
export function addHumanAnnotationQueueItems(deps: Pick<Deps, "database" | "clock" | "newId">): Handler {
  const { database } = deps;
  return (request, call) => {
    const named = [...new Set(request.traceIds.map(toTraceId))];
    return database.changeAfter(
      call,
      () => findTraces(deps, call, named),
      async (tx, traces) => {
        const { definitionId } = await lockQueue(tx, call, request.id);
        if (!named.every((id) => traces.has(id))) throw notFound("Trace");
        const found = [...traces.values()];
        const archived = found.filter(({ state }) => state === "archived");
        const traceIds = [...new Set(found.flatMap(({ id, state }) => (state === "stored" ? id : [])))];
        const [first] = archived;
        if (traceIds.length === 0 && first !== undefined) throw inArchive(call, "The trace", first.createdAt);
        const count = await enqueue(deps, tx, call, { id: request.id, definitionId }, traceIds);
        return { count, present: traceIds.length - count, archived: archived.length };
      },
    );
  };
}

/** Returns the queue, locked against deletion until the transaction ends. Throws unless the application has it. */
export async function lockQueue(tx: Transaction, { tenant }: Call, id: string): Promise<QueueRow> {
  const row = await tx.findOne(QueueEntity, { applicationId: tenant.applicationId, id }, { lock: "SHARE" });
  if (row === null) throw notFound("Human annotation queue");
  return row;
}

// Adding an expired item makes it wait again; waiting and completed items do not change.
const insertItems = `INSERT INTO experiments.human_annotation_queue_item AS stored
    (application_id, org_id, queue_id, created_at, expires_at, definition_id, id, trace_id)
  SELECT $1, $2, $3, $4, $5, $8::uuid, new.id, new.trace_id FROM unnest($6::uuid[], $7::uuid[]) AS new (id, trace_id)
  ORDER BY new.trace_id
  ON CONFLICT (application_id, queue_id, trace_id, definition_id)
    DO UPDATE SET created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE stored.completed_at IS NULL AND stored.expires_at <= excluded.created_at
  RETURNING id`;

/** Adds the given traces, without duplicates, to the queue, for review by the definition; returns the number that were not waiting before. */
export async function enqueue(
  { clock, newId }: Pick<Deps, "clock" | "newId">,
  tx: Transaction,
  { tenant }: Call,
  { id: queueId, definitionId }: Pick<QueueRow, "id" | "definitionId">,
  traceIds: readonly string[],
): Promise<number> {
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + queueItemDays * dayMs);
  const ids = traceIds.map(() => newId());
  const values = [tenant.applicationId, tenant.orgId, queueId, now, expiresAt, ids, traceIds, definitionId];
  return (await tx.query(insertItems, values)).length;
}
