import { type List, readList } from "@ems/kit/db/list";
import { pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type TaskService, TaskStatus, TaskStatusSchema } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import type { TaskRow } from "./entity.ts";
import { task } from "./messages.ts";
import { taskColumns } from "./queries.ts";

type Handler = Handlers<typeof TaskService>["listTasks"];

const orders = {
  createdAt: "t.created_at",
  modifiedAt: "t.modified_at",
  title: "t.title",
  status: "t.status",
  id: "t.id",
};

/** Statuses of a list that does not ask for any: archived tasks are hidden from operational surfaces. */
const statusesDefault = [TaskStatus.DEDUCED, TaskStatus.DRAFT, TaskStatus.ACTIVE];

const list: List = {
  name: "tasks",
  columns: taskColumns,
  from: "catalog.task t",
  where: `t.application_id = $1 AND t.status = ANY ($2)
    AND ($3::uuid[] IS NULL OR t.topic_id = ANY ($3))
    AND ($4::uuid[] IS NULL OR EXISTS (SELECT FROM catalog.task_tag x
      WHERE x.application_id = t.application_id AND x.task_id = t.id AND x.tag_id = ANY ($4)))
    AND ($5::uuid[] IS NULL OR EXISTS (SELECT FROM catalog.eval_definition_task l
      WHERE l.application_id = t.application_id AND l.task_id = t.id AND l.definition_id = ANY ($5)))`,
  tenant: "t.application_id",
  id: "t.id",
  search: { id: "t.id", find: "catalog.find_task" },
};

/** A page of the caller's application's tasks. */
export function listTasks({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const asked = request.status.length > 0 ? request.status : statusesDefault;
    const filters = [
      call.tenant.applicationId,
      asked.map((status) => enumName(TaskStatusSchema, status)),
      request.topicId.length > 0 ? request.topicId : null,
      request.tagId.length > 0 ? request.tagId : null,
      request.definitionId.length > 0 ? request.definitionId : null,
    ];
    const { rows, total } = await readList<TaskRow>(database, call, list, page, filters, request.search);
    return { data: rows.map(task), pagination: pagination(page, total) };
  };
}
