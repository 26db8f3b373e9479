// Evaluation definitions as they are read, with what they are linked to.

import type { Database, Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import type { LinkedDefinition } from "./messages.ts";

/** The columns of LinkedDefinition, of `catalog.eval_definition d`. */
export const definitionColumns = `
  d.id, d.type, d.name, d.criterion, d.style_guide_id AS "styleGuideId",
  d.created_at AS "createdAt", d.modified_at AS "modifiedAt",
  EXISTS (SELECT FROM catalog.eval_definition_application l
    WHERE l.application_id = d.application_id AND l.definition_id = d.id) AS "isLinked",
  ARRAY(SELECT l.topic_id FROM catalog.eval_definition_topic l
    WHERE l.application_id = d.application_id AND l.definition_id = d.id ORDER BY l.topic_id) AS topics`;

const oneDefinition = `SELECT ${definitionColumns} FROM catalog.eval_definition d WHERE d.application_id = $1 AND d.id = $2`;

/** A definition of the caller's application; undefined when it has none of that id. */
export async function findDefinition(
  database: Database,
  call: Call,
  id: string,
): Promise<LinkedDefinition | undefined> {
  const values = [call.tenant.applicationId, id];
  const [row] = await database.read<LinkedDefinition>(call, { name: "get-definition", text: oneDefinition, values });
  return row;
}

/** Topics' links to definitions, and those definitions, once each. */
export function topicDefinitionStatements(applicationId: string, topicIds: readonly string[]): [Statement, Statement] {
  const values = [applicationId, topicIds];
  return [
    {
      name: "topic-definition-links",
      text: `SELECT topic_id AS "topicId", definition_id AS "definitionId", expected FROM catalog.eval_definition_topic
        WHERE application_id = $1 AND topic_id = ANY ($2::uuid[])`,
      values,
    },
    {
      name: "topic-definitions",
      text: `SELECT ${definitionColumns} FROM catalog.eval_definition d
        WHERE d.application_id = $1 AND d.id IN (SELECT l.definition_id FROM catalog.eval_definition_topic l
          WHERE l.application_id = $1 AND l.topic_id = ANY ($2::uuid[]))
        ORDER BY d.created_at, d.id`,
      values,
    },
  ];
}
