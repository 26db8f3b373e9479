import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import type { LinkedDefinition, TopicDefinition } from "./messages.ts";
import { definitionColumns } from "./queries.ts";

interface TopicLink {
  readonly topicId: string;
  readonly definitionId: string;
  readonly expected: string | null;
}

const topicLinks = `SELECT topic_id AS "topicId", definition_id AS "definitionId", expected
  FROM catalog.eval_definition_topic WHERE application_id = $1 AND topic_id = ANY ($2::uuid[])`;
/** Each definition once, however many of the topics it is linked to. */
const linkedDefinitions = `SELECT ${definitionColumns} FROM catalog.eval_definition definition
  WHERE definition.application_id = $1 AND definition.id IN (SELECT link.definition_id
    FROM catalog.eval_definition_topic link WHERE link.application_id = $1 AND link.topic_id = ANY ($2::uuid[]))
  ORDER BY definition.created_at, definition.id`;

/** Topics' definitions by topic id, oldest first. A topic without any is not in the map. */
export async function definitionsOfTopics(
  database: Database,
  call: Call,
  topicIds: readonly string[],
): Promise<ReadonlyMap<string, readonly TopicDefinition[]>> {
  if (topicIds.length === 0) return new Map();
  const values = [call.tenant.applicationId, topicIds];
  const [links, definitions] = await database.readAll(call, [
    { name: "topic-definition-links", text: topicLinks, values },
    { name: "topic-definitions", text: linkedDefinitions, values },
  ]);
  const linksOf = Map.groupBy(links as TopicLink[], ({ definitionId }) => definitionId);
  const byTopic = new Map<string, TopicDefinition[]>();
  for (const definition of definitions as LinkedDefinition[]) {
    for (const { topicId, expected } of linksOf.get(definition.id) ?? []) {
      const ofTopic = byTopic.get(topicId) ?? [];
      ofTopic.push({ definition, expected });
      byTopic.set(topicId, ofTopic);
    }
  }
  return byTopic;
}
