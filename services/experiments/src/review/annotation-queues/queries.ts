import type { Database } from "@ems/kit/db/database";
import { rowById } from "@ems/kit/db/row-by-id";
import { distinctIds } from "@ems/kit/id";
import { buildMessage } from "@ems/kit/message";
import { type Call, forward } from "@ems/kit/rpc/call";
import { HumanAnnotationQueueSchema } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { type ExampleRow, reviewedCriterion } from "../criteria/index.ts";
import { QueueEntity, type QueueRow } from "./entity.ts";

export const queueById = rowById(QueueEntity, "Human annotation queue");

/** Loads the queues' topic titles, assignees, definitions and progress, with one call to each service. */
export async function fullQueues(
  { database, references, users, clock }: Pick<Deps, "database" | "references" | "users" | "clock">,
  call: Call,
  rows: readonly QueueRow[],
  examples: readonly ExampleRow[] = [],
) {
  if (rows.length === 0) return [];
  const topicIds = distinctIds(rows.map(({ topicId }) => topicId));
  const definitionIds = distinctIds(rows.flatMap(({ definitionId }) => definitionId ?? []));
  const [{ topics, definitions }, people, progress] = await Promise.all([
    references.batchGetReferences({ topicIds, definitionIds }, forward(call)),
    assignedUsers(
      users,
      call,
      rows.map(({ assigneeId }) => ({ assignedTo: assigneeId })),
    ),
    readProgress(database, call, rows, clock.now()),
  ]);
  const titles = new Map(topics.map(({ id, title }) => [id, title]));
  const definitionById = new Map(definitions.map((definition) => [definition.id, definition]));
  return rows.map((row) => {
    const definition = definitionById.get(row.definitionId ?? "");
    const person = people.get(row.assigneeId);
    return buildMessage(HumanAnnotationQueueSchema, {
      ...row,
      criterion: definition === undefined ? null : reviewedCriterion(definition, examples),
      topicTitle: titles.get(row.topicId) ?? "",
      assigneeName: person?.name ?? row.assigneeId,
      assigneeEmail: person?.email ?? "",
      pendingCount: progress.get(row.id)?.pending ?? 0,
      completedCount: progress.get(row.id)?.completed ?? 0,
    });
  });
}

interface Progress {
  readonly queueId: string;
  readonly pending: number;
  readonly completed: number;
}

const progressText = `SELECT i.queue_id AS "queueId", count(i.completed_at)::int AS completed,
    count(*) FILTER (WHERE i.completed_at IS NULL AND i.expires_at > $3)::int AS pending
  FROM experiments.human_annotation_queue_item i
  WHERE i.application_id = $1 AND i.queue_id = ANY ($2::uuid[]) GROUP BY i.queue_id`;

async function readProgress(database: Database, call: Call, rows: readonly QueueRow[], now: Date) {
  const values = [call.tenant.applicationId, rows.map(({ id }) => id), now];
  const found = await database.read<Progress>(call, { name: "queue-progress", text: progressText, values });
  return new Map(found.map((queueProgress) => [queueProgress.queueId, queueProgress]));
}
