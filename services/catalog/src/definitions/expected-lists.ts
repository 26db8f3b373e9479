// Checks that no link expects a list if its definition compares strings, for new and for existing links.

import type { Transaction } from "@ems/kit/db/transaction";
import { invalidFields } from "@ems/kit/errors";
import type { EvalDefinitionRow } from "./entity.ts";

const comparesStrings = `SELECT EXISTS (SELECT FROM catalog.eval_definition
  WHERE application_id = $1 AND id = ANY ($2::uuid[]) AND type = 'OUTPUT_MATCH'
    AND comparison ->> 'type' IS DISTINCT FROM 'list') AS "comparesStrings"`;

const linked = (by: "topic" | "task") => `EXISTS (SELECT FROM catalog.eval_definition_${by}
  WHERE application_id = $1 AND definition_id = $2 AND expected_list IS NOT NULL)`;
const expectsList = `SELECT ${linked("topic")} OR ${linked("task")} AS "expectsList"`;

/** Throws if one of the definitions cannot expect a list. The definitions' rows must be locked. */
export async function assertListsExpected(
  tx: Transaction,
  applicationId: string,
  definitionIds: readonly string[],
): Promise<void> {
  const [row] = await tx.query<{ comparesStrings: boolean }>(comparesStrings, [applicationId, definitionIds]);
  if (row?.comparesStrings) {
    throw invalidFields([{ path: ["config", "expected"], message: "A comparison of strings expects a text" }]);
  }
}

/** Throws if the definition would compare strings while a link of it expects a list. Its row must be locked. */
export async function assertTextsExpected(tx: Transaction, definition: EvalDefinitionRow): Promise<void> {
  if (definition.type !== "OUTPUT_MATCH" || definition.comparison?.type !== "string") return;
  const [row] = await tx.query<{ expectsList: boolean }>(expectsList, [definition.applicationId, definition.id]);
  if (row?.expectsList) {
    throw invalidFields([{ path: ["global_config", "type"], message: "Links of this definition expect a list" }]);
  }
}
