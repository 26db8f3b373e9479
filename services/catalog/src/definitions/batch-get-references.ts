import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { Deps } from "../deps.ts";
import { linkedApplication } from "./application.ts";
import { evalDefinition, type LinkedDefinition } from "./messages.ts";
import { definitionColumns } from "./queries.ts";

const definitionsById = `SELECT ${definitionColumns} FROM catalog.eval_definition definition
  WHERE definition.application_id = $1 AND definition.id = ANY ($2::uuid[])`;
const tasksById = `SELECT id, title, topic_id AS "topicId" FROM catalog.task
  WHERE application_id = $1 AND id = ANY ($2::uuid[])`;
const topicsById = `SELECT id, title FROM catalog.topic WHERE application_id = $1 AND id = ANY ($2::uuid[])`;

interface TaskTitle {
  readonly id: string;
  readonly title: string;
  readonly topicId: string | null;
}

/** Returns definitions, tasks and topics that other services include in a page, with one call per page. */
export function batchGetReferences({
  database,
  applications,
}: Deps): Handlers<typeof ReferenceService>["batchGetReferences"] {
  return async ({ definitionIds, taskIds, topicIds }, call) => {
    const { applicationId } = call.tenant;
    const statements = [
      { name: "definitions-by-id", text: definitionsById, values: [applicationId, definitionIds] },
      { name: "task-titles", text: tasksById, values: [applicationId, taskIds] },
      { name: "topic-titles", text: topicsById, values: [applicationId, topicIds] },
    ];
    const requested = statements.filter(({ values: [, ids = []] }) => ids.length > 0);
    const found = requested.length === 0 ? [] : await database.readAll(call, requested);
    const [definitionRows, taskRows, topicRows] = statements.map(
      (statement) => found[requested.indexOf(statement)] ?? [],
    );
    // Safe cast: the row types match the statements' select lists.
    const definitions = definitionRows as LinkedDefinition[];
    const tasks = taskRows as TaskTitle[];
    const application = await linkedApplication(applications, call, definitions);
    return {
      definitions: definitions.map((row) => evalDefinition(row, application)),
      tasks: tasks.map(({ topicId, ...task }) => ({ ...task, ...definedFields({ topicId: topicId ?? undefined }) })),
      topics: topicRows as { id: string; title: string }[],
    };
  };
}
