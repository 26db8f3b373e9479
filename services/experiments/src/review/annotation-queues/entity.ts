import { foreignKey, nullable, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";
import { conflict } from "@ems/kit/errors";

export type QueueRow = Row<typeof QueueEntity>;

/** Unique constraint: a person has at most one queue per topic and definition. */
export const queueKey = "human_annotation_queue_key";

/** Queue of a topic's traces for review by one person. */
export const QueueEntity = table(
  "experiments.human_annotation_queue",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    topicId: uuid,
    assigneeId: text,
    createdAt: timestamp,
    definitionId: nullable(uuid),
  },
  {
    uniques: [{ name: queueKey, columns: ["applicationId", "topicId", "assigneeId", "definitionId"] }],
    indices: [{ name: "human_annotation_queue_created", columns: ["applicationId", "createdAt", "id"] }],
  },
);

export const queueVersions = rowVersions(QueueEntity);

/** Returns the error for a second queue of the same topic, assignee and definition. */
export const queueExists = ({ definitionId }: Pick<QueueRow, "definitionId">) =>
  conflict(`The assignee has a queue of this topic${definitionId === null ? "" : " and definition"}`);

export type QueueItemRow = Row<typeof QueueItemEntity>;

export const QueueItemEntity = table(
  "experiments.human_annotation_queue_item",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    queueId: uuid,
    traceId: uuid,
    /** Time at which the first review of this item was complete. */
    completedAt: nullable(timestamp),
    expiresAt: timestamp,
    createdAt: timestamp,
    /** Definition to review; null: the whole answer. */
    definitionId: nullable(uuid),
  },
  {
    uniques: [
      { name: "human_annotation_queue_item_key", columns: ["applicationId", "queueId", "traceId", "definitionId"] },
    ],
    indices: [
      { name: "human_annotation_queue_item_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "human_annotation_queue_item_trace", columns: ["applicationId", "traceId"] },
    ],
    foreignKeys: [
      foreignKey("human_annotation_queue_item_queue_fkey", ["applicationId", "queueId"], "human_annotation_queue"),
    ],
  },
);
