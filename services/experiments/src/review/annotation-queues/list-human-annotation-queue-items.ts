import { defineList, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { distinctIds } from "@ems/kit/id";
import { buildMessage } from "@ems/kit/message";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  HumanAnnotationQueueItemSchema,
  type HumanAnnotationQueueService,
  QueueItemCompletion,
  QueueItemOrderSchema,
} from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { loadReferences } from "@ems/results";
import { toTraceId } from "@ems/traces-client";
import type { Deps } from "../../deps.ts";
import { readExamples, reviewedCriterion } from "../criteria/index.ts";
import { QueueItemEntity, type QueueItemRow } from "./entity.ts";

type Handler = Handlers<typeof HumanAnnotationQueueService>["listHumanAnnotationQueueItems"];

const list = defineList(QueueItemEntity, {
  alias: "i",
  orderBy: QueueItemOrderSchema,
  where: {
    queueId: "i.queue_id = ANY (?)",
    traceId: "i.trace_id = ANY (?)",
    isCompleted: "(i.completed_at IS NOT NULL) = ?",
    pendingAt: "i.completed_at IS NULL AND i.expires_at > ?",
    expiredAt: "i.completed_at IS NULL AND i.expires_at <= ?",
    activeAt: "(i.completed_at IS NOT NULL OR i.expires_at > ?)",
  },
});

/** Lists items of the queues of the caller's application, with the definitions to review. */
export function listHumanAnnotationQueueItems(deps: Pick<Deps, "database" | "clock" | "references">): Handler {
  const { database, clock } = deps;
  return async (request, call) => {
    const filters = {
      queueId: nonEmptyOrNull(distinctIds(request.queueId)),
      traceId: nonEmptyOrNull(request.traceId.map(toTraceId)),
      ...completionFilter(request.completion, clock.now()),
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: await fullItems(deps, call, rows), pagination };
  };
}

async function fullItems(
  { database, references }: Pick<Deps, "database" | "references">,
  call: Call,
  rows: readonly QueueItemRow[],
) {
  const ids = distinctIds(rows.flatMap(({ definitionId }) => definitionId ?? []));
  const [{ definitions }, examples] = await Promise.all([
    loadReferences(references, call, ids),
    readExamples(database, call, ids),
  ]);
  return rows.map((row) => {
    const definition = definitions.get(row.definitionId ?? "");
    const criterion = definition === undefined ? null : reviewedCriterion(definition, examples);
    return buildMessage(HumanAnnotationQueueItemSchema, { ...row, criterion });
  });
}

function completionFilter(completion: QueueItemCompletion | undefined, now: Date) {
  switch (completion) {
    case QueueItemCompletion.PENDING:
      return { pendingAt: now };
    case QueueItemCompletion.COMPLETED:
      return { isCompleted: true };
    case QueueItemCompletion.EXPIRED:
      return { expiredAt: now };
    case QueueItemCompletion.ACTIVE:
      return { activeAt: now };
    default:
      return {};
  }
}
