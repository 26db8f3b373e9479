import { buildSelectList } from "@ems/kit/db/columns";
import type { Database } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { EvalDefinitionEntity } from "./entity.ts";
import type { LinkedDefinition } from "./messages.ts";

/** Selects the columns of LinkedDefinition, for `catalog.eval_definition definition`. */
export const definitionColumns = `${buildSelectList(EvalDefinitionEntity, "definition")},
  EXISTS (SELECT FROM catalog.eval_definition_application link
    WHERE link.application_id = definition.application_id AND link.definition_id = definition.id) AS "isLinked",
  ARRAY(SELECT link.topic_id FROM catalog.eval_definition_topic link
    WHERE link.application_id = definition.application_id AND link.definition_id = definition.id
    ORDER BY link.topic_id) AS topics,
  (SELECT json_build_object('kappa', c.kappa, 'sensitivity', c.sensitivity, 'specificity', c.specificity,
      'humanPassed', c.human_passed, 'humanFailed', c.human_failed, 'undecided', c.undecided,
      'definitionVersion', c.definition_version, 'judgeVersion', c.judge_version, 'model', c.model,
      'calculatedAt', c.calculated_at,
      'reliable', c.reliable)
    FROM catalog.judge_calibration_v1 c
    WHERE c.application_id = definition.application_id AND c.definition_id = definition.id) AS calibration`;

const oneDefinition = `SELECT ${definitionColumns} FROM catalog.eval_definition definition
  WHERE definition.application_id = $1 AND definition.id = $2`;

/** Returns a definition of the caller's application with its links. */
export async function getLinkedDefinition(database: Database, call: Call, id: string): Promise<LinkedDefinition> {
  const values = [call.tenant.applicationId, id];
  const [row] = await database.read<LinkedDefinition>(call, { name: "get-definition", text: oneDefinition, values });
  if (row === undefined) throw notFound("Evaluation definition");
  return row;
}
