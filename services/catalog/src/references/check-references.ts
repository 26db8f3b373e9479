import type { Handlers } from "@ems/kit/rpc/service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { Deps } from "../deps.ts";

type Handler = Handlers<typeof ReferenceService>["checkReferences"];

const missingTopics = `SELECT wanted.id FROM unnest($2::uuid[]) AS wanted (id)
  WHERE NOT EXISTS (SELECT FROM catalog.topic known WHERE known.application_id = $1 AND known.id = wanted.id)`;
const knownTasks = `SELECT id, topic_id AS "topicId" FROM catalog.task WHERE application_id = $1 AND id = ANY ($2::uuid[])`;
const knownDefinitions = `SELECT id, type FROM catalog.eval_definition
  WHERE application_id = $1 AND id = ANY ($2::uuid[])`;

/** The ids that name nothing of the caller's application, and what there is to know of the others. */
export function checkReferences({ database }: Pick<Deps, "database">): Handler {
  return async ({ topicIds, taskIds, definitionIds }, call) => {
    const { applicationId } = call.tenant;
    const [missing = [], tasks = [], definitions = []] = await database.readAll(call, [
      { name: "missing-topics", text: missingTopics, values: [applicationId, topicIds] },
      { name: "known-tasks", text: knownTasks, values: [applicationId, taskIds] },
      { name: "known-definitions", text: knownDefinitions, values: [applicationId, definitionIds] },
    ]);
    return {
      missingTopicIds: missing.map(({ id }) => id),
      missingTaskIds: others(taskIds, tasks as ReadTask[]),
      missingDefinitionIds: others(definitionIds, definitions as ReadDefinition[]),
      tasks: (tasks as ReadTask[]).map(({ id, topicId }) => ({ id, ...(topicId !== null && { topicId }) })),
      definitions: (definitions as ReadDefinition[]).map(({ id, type }) => ({ id, type: EvalDefinitionType[type] })),
    };
  };
}

interface ReadTask {
  readonly id: string;
  readonly topicId: string | null;
}

interface ReadDefinition {
  readonly id: string;
  readonly type: keyof typeof EvalDefinitionType;
}

/** Those of the ids that are not among the rows'. */
function others(ids: readonly string[], rows: readonly { readonly id: string }[]): string[] {
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id.toLowerCase()));
}
