import type { Handlers } from "@ems/kit/rpc/service";
import type { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { Deps } from "../deps.ts";

type Handler = Handlers<typeof ReferenceService>["checkReferences"];

const missing = (table: "topic" | "task") => `SELECT wanted.id FROM unnest($2::uuid[]) AS wanted (id)
  WHERE NOT EXISTS (SELECT FROM catalog.${table} known WHERE known.application_id = $1 AND known.id = wanted.id)`;

/** The ids that name no topic or task of the caller's application. */
export function checkReferences({ database }: Pick<Deps, "database">): Handler {
  return async ({ topicIds, taskIds }, call) => {
    const { applicationId } = call.tenant;
    const [topics = [], tasks = []] = await database.readAll(call, [
      { name: "missing-topics", text: missing("topic"), values: [applicationId, topicIds] },
      { name: "missing-tasks", text: missing("task"), values: [applicationId, taskIds] },
    ]);
    return { missingTopicIds: topics.map(({ id }) => id), missingTaskIds: tasks.map(({ id }) => id) };
  };
}
