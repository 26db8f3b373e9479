import type { Handlers } from "@ems/kit/rpc/service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { Deps } from "../deps.ts";

const existing = (columns: string, table: string) =>
  `SELECT ${columns} FROM catalog.${table} WHERE application_id = $1 AND id = ANY ($2::uuid[])`;
const taskColumns = `id, topic_id AS "topicId", status = 'ARCHIVED' AS "isArchived"`;

/**
 * Returns the ids that the caller's application does not have. For existing tasks also returns their topics, and for
 * existing definitions their types.
 */
export function checkReferences({ database }: Deps): Handlers<typeof ReferenceService>["checkReferences"] {
  return async ({ topicIds, taskIds, definitionIds }, call) => {
    const { applicationId } = call.tenant;
    const [topics = [], taskRows = [], definitionRows = []] = await database.readAll(call, [
      { name: "existing-topics", text: existing("id", "topic"), values: [applicationId, topicIds] },
      { name: "existing-tasks", text: existing(taskColumns, "task"), values: [applicationId, taskIds] },
      {
        name: "existing-definitions",
        text: existing("id, type", "eval_definition"),
        values: [applicationId, definitionIds],
      },
    ]);
    // Safe cast: the row types match the statements' select lists.
    const tasks = taskRows as { id: string; topicId: string | null; isArchived: boolean }[];
    const definitions = definitionRows as { id: string; type: keyof typeof EvalDefinitionType }[];
    return {
      missingTopicIds: missing(topicIds, topics as { id: string }[]),
      missingTaskIds: missing(taskIds, tasks),
      missingDefinitionIds: missing(definitionIds, definitions),
      tasks: tasks.map(({ id, topicId, isArchived }) => ({ id, isArchived, ...(topicId !== null && { topicId }) })),
      definitions: definitions.map(({ id, type }) => ({ id, type: EvalDefinitionType[type] })),
    };
  };
}

/** Returns those of the ids for which there is no row. */
function missing(ids: readonly string[], rows: readonly { readonly id: string }[]): string[] {
  const existingIds = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !existingIds.has(id.toLowerCase()));
}
