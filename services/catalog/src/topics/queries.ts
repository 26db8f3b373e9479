// Topics as they are read. SQL rather than repositories: this is the read that everything else hangs on, and one
// statement with its counts costs a third of the mapper's time.

import { columnsOf } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import { definitionsOfTopics } from "../definitions/index.ts";
import { TopicEntity } from "./entity.ts";
import type { CountedTopic, WholeTopic } from "./messages.ts";

/** A topic as it is read. */
export interface ReadTopic extends CountedTopic {
  readonly hasDefinitions: boolean;
}

/** The columns of ReadTopic, of `catalog.topic t`. */
export const topicColumns = `
  ${columnsOf(TopicEntity, "t")},
  (SELECT count(*)::int FROM catalog.task k
   WHERE k.application_id = t.application_id AND k.topic_id = t.id AND k.status <> 'ARCHIVED') AS "taskCount",
  (SELECT count(*)::int FROM catalog.document o
   WHERE o.application_id = t.application_id AND o.topic_id = t.id) AS "documentCount",
  EXISTS (SELECT FROM catalog.eval_definition_topic e
   WHERE e.application_id = t.application_id AND e.topic_id = t.id) AS "hasDefinitions"`;

const oneTopic = `SELECT ${topicColumns} FROM catalog.topic t WHERE t.application_id = $1 AND t.id = $2`;

/** A topic of the caller's application; undefined when it has none of that id. */
export async function findTopic(database: Database, call: Call, id: string): Promise<WholeTopic | undefined> {
  const values = [call.tenant.applicationId, id];
  const [row] = await database.read<ReadTopic>(call, { name: "get-topic", text: oneTopic, values });
  const [whole] = row === undefined ? [] : await wholeTopics(database, call, [row]);
  return whole;
}

/** The topics with their definitions, which cost a look only where there are any. */
export async function wholeTopics(database: Database, call: Call, rows: readonly ReadTopic[]): Promise<WholeTopic[]> {
  const linked = rows.filter(({ hasDefinitions }) => hasDefinitions).map(({ id }) => id);
  const definitions = await definitionsOfTopics(database, call, linked);
  return rows.map(({ hasDefinitions: _, ...row }) => ({ ...row, definitions: definitions.get(row.id) ?? [] }));
}

/** A topic that is known to be there, as the change that `tx` is in the midst of leaves it. */
export async function topicInChange(tx: Transaction, call: Call, id: string): Promise<CountedTopic> {
  const [row] = await tx.query<ReadTopic>(oneTopic, [call.tenant.applicationId, id]);
  if (row === undefined) throw new Error(`topic ${id} has gone, but topics never go`);
  const { hasDefinitions: _, ...counted } = row;
  return counted;
}
