// The evaluation definitions that topics show: the links of a whole page at once, each definition read once.

import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import type { LinkedDefinition, TopicDefinition } from "./messages.ts";
import { topicDefinitionStatements } from "./queries.ts";

interface TopicLink {
  readonly topicId: string;
  readonly definitionId: string;
  readonly expected: string | null;
}

export type DefinitionsByTopic = ReadonlyMap<string, readonly TopicDefinition[]>;

/** Topics' definitions by topic id, oldest first. A topic without any is not in the map. */
export async function definitionsOfTopics(
  database: Database,
  call: Call,
  topicIds: readonly string[],
): Promise<DefinitionsByTopic> {
  if (topicIds.length === 0) return new Map();
  const statements = topicDefinitionStatements(call.tenant.applicationId, topicIds);
  const [links = [], definitions = []] = await database.readAll(call, statements);
  return definitionsByTopic(links, definitions);
}

/** The same from the rows of `topicDefinitionStatements`. */
function definitionsByTopic(links: object[], definitions: object[]): DefinitionsByTopic {
  // The statements' texts say what columns their rows have.
  const rows = definitions as LinkedDefinition[];
  const linksOf = Map.groupBy(links as TopicLink[], ({ definitionId }) => definitionId);
  const byTopic = new Map<string, TopicDefinition[]>();
  for (const definition of rows) {
    for (const { topicId, expected } of linksOf.get(definition.id) ?? []) {
      const shown = byTopic.get(topicId) ?? [];
      shown.push({ definition, expected });
      byTopic.set(topicId, shown);
    }
  }
  return byTopic;
}
