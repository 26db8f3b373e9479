import { listOf, listPage } from "@ems/kit/db/list";
import { enumName } from "@ems/kit/enum";
import { someOf } from "@ems/kit/given";
import type { Handlers } from "@ems/kit/rpc/service";
import { type TaskService, TaskStatus, TaskStatusSchema } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { TaskEntity } from "./entity.ts";
import { task } from "./messages.ts";

type Handler = Handlers<typeof TaskService>["listTasks"];

/** Statuses of a list that does not ask for any: archived tasks are hidden from operational surfaces. */
const statusesDefault = [TaskStatus.DEDUCED, TaskStatus.DRAFT, TaskStatus.ACTIVE];

const list = listOf(TaskEntity, {
  alias: "t",
  where: `t.status = ANY ($2)
    AND ($3::uuid[] IS NULL OR t.topic_id = ANY ($3))
    AND ($4::uuid[] IS NULL OR EXISTS (SELECT FROM catalog.task_tag x
      WHERE x.application_id = t.application_id AND x.task_id = t.id AND x.tag_id = ANY ($4)))
    AND ($5::uuid[] IS NULL OR EXISTS (SELECT FROM catalog.eval_definition_task l
      WHERE l.application_id = t.application_id AND l.task_id = t.id AND l.definition_id = ANY ($5)))`,
  search: "catalog.find_task",
});

/** A page of the caller's application's tasks. */
export function listTasks({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const requested = request.status.length > 0 ? request.status : statusesDefault;
    const { topicId, tagId, definitionId, search } = request;
    const statuses = requested.map((status) => enumName(TaskStatusSchema, status));
    const filters = [statuses, someOf(topicId), someOf(tagId), someOf(definitionId)];
    const { rows, pagination } = await listPage(database, call, list, request, filters, { search });
    return { data: rows.map(task), pagination };
  };
}
