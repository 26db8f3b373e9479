import { listOf, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { TaskEntity } from "./entity.ts";
import { task } from "./messages.ts";

/** A list that names no status hides archived tasks. */
const statusesDefault = ["DEDUCED", "DRAFT", "ACTIVE"];

const list = listOf(TaskEntity, {
  alias: "task",
  where: {
    status: "task.status = ANY (?)",
    topicId: "task.topic_id = ANY (?)",
    tagId: `EXISTS (SELECT FROM catalog.task_tag
      WHERE task_tag.application_id = task.application_id AND task_tag.task_id = task.id AND task_tag.tag_id = ANY (?))`,
    definitionId: `EXISTS (SELECT FROM catalog.eval_definition_task link
      WHERE link.application_id = task.application_id AND link.task_id = task.id AND link.definition_id = ANY (?))`,
  },
  counts: { times: { createdAt: "created_at" }, groups: ["status"] },
  search: "catalog.find_task",
});

export function listTasks({ database }: Deps): Handlers<typeof TaskService>["listTasks"] {
  return async (request, call) => {
    const { search } = request;
    const filters = {
      status: nonEmptyOrNull(request.status) ?? statusesDefault,
      topicId: nonEmptyOrNull(request.topicId),
      tagId: nonEmptyOrNull(request.tagId),
      definitionId: nonEmptyOrNull([...request.definitionId, ...request.evalDefinitionId]),
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters, { search });
    return { data: rows.map(task), pagination };
  };
}
