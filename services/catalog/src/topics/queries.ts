// Plain SQL, because one statement that also counts takes a third of the mapper's time.

import { buildSelectList } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { linksOfTopics } from "../definitions/index.ts";
import { TopicEntity } from "./entity.ts";
import type { CountedTopic, FullTopic } from "./messages.ts";

export type TopicReadRow = CountedTopic & { readonly hasDefinitions: boolean };

/** Selects the columns of TopicReadRow, for `catalog.topic topic`. */
export const topicColumns = `${buildSelectList(TopicEntity, "topic")},
  (SELECT count(*)::int FROM catalog.task
   WHERE task.application_id = topic.application_id AND task.topic_id = topic.id AND task.status = 'ACTIVE') AS "taskCount",
  (SELECT count(*)::int FROM catalog.document
   WHERE document.application_id = topic.application_id AND document.topic_id = topic.id) AS "documentCount",
  EXISTS (SELECT FROM catalog.eval_definition_topic link
   WHERE link.application_id = topic.application_id AND link.topic_id = topic.id) AS "hasDefinitions"`;

const getTopic = {
  name: "get-topic",
  text: `SELECT ${topicColumns} FROM catalog.topic WHERE topic.application_id = $1 AND topic.id = $2`,
};

/** Returns a topic of the caller's application with its definitions. */
export async function getFullTopic(database: Database, call: Call, id: string): Promise<FullTopic> {
  const values = [call.tenant.applicationId, id];
  const rows = await database.read<TopicReadRow>(call, { ...getTopic, values });
  const [row] = await withDefinitions(database, call, rows);
  if (row === undefined) throw notFound("Topic");
  return row;
}

/** Adds definitions to topics; reads them only for topics with linked definitions. */
export async function withDefinitions(
  database: Database,
  call: Call,
  rows: readonly TopicReadRow[],
): Promise<FullTopic[]> {
  const linked = rows.filter(({ hasDefinitions }) => hasDefinitions).map(({ id }) => id);
  const definitions = await linksOfTopics(database, call, linked);
  return rows.map((row) => ({ ...row, definitions: definitions.get(row.id) ?? [] }));
}

/** Returns a topic with the changes of the transaction; it exists, because topics are never deleted. */
export async function getChangedTopic(tx: Transaction, { tenant }: Call, id: string): Promise<CountedTopic> {
  const [row] = await tx.query<TopicReadRow>({ ...getTopic, values: [tenant.applicationId, id] });
  if (row === undefined) throw new Error(`topic ${id} is missing`);
  return row;
}
