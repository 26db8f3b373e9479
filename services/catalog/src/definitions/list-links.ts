import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import type { Expectation } from "./link-config.ts";
import type { DefinitionLink, LinkedDefinition } from "./messages.ts";
import { definitionColumns } from "./queries.ts";

interface Link extends Expectation {
  /** Id of the linked topic or task. */
  readonly id: string;
  readonly definitionId: string;
}

type LinkedBy = "topic" | "task";

const links = (by: LinkedBy) => `SELECT ${by}_id AS id, definition_id AS "definitionId", expected,
    expected_list AS "expectedList"
  FROM catalog.eval_definition_${by} WHERE application_id = $1 AND ${by}_id = ANY ($2::uuid[])`;
/** Selects each definition once, even if several of the topics or tasks are linked to it. */
const linkedDefinitions = (by: LinkedBy) => `SELECT ${definitionColumns} FROM catalog.eval_definition definition
  WHERE definition.application_id = $1 AND definition.id IN (SELECT link.definition_id
    FROM catalog.eval_definition_${by} link WHERE link.application_id = $1 AND link.${by}_id = ANY ($2::uuid[]))
  ORDER BY definition.created_at, definition.id`;

export type LinksById = ReadonlyMap<string, readonly DefinitionLink[]>;

/** Reads links by topic id, oldest definition first. Omits topics without links. */
export const linksOfTopics = linksBy("topic");

/** Reads links by task id, oldest definition first. Omits tasks without links. */
export const linksOfTasks = linksBy("task");

function linksBy(by: LinkedBy) {
  const texts = { links: links(by), definitions: linkedDefinitions(by) };
  return async (database: Database, call: Call, ids: readonly string[]): Promise<LinksById> => {
    if (ids.length === 0) return new Map();
    const values = [call.tenant.applicationId, ids];
    const [found, definitions] = await database.readAll(call, [
      { name: `${by}-definition-links`, text: texts.links, values },
      { name: `${by}-definitions`, text: texts.definitions, values },
    ]);
    const linksByDefinition = Map.groupBy(found as Link[], ({ definitionId }) => definitionId);
    const byId = new Map<string, DefinitionLink[]>();
    for (const definition of definitions as LinkedDefinition[]) {
      for (const { id, expected, expectedList } of linksByDefinition.get(definition.id) ?? []) {
        const ofOne = byId.get(id) ?? [];
        ofOne.push({ definition, expected, expectedList });
        byId.set(id, ofOne);
      }
    }
    return byId;
  };
}
