import type { Database } from "@ems/kit/db/database";
import { containing, type Page, pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { type TaskService, TaskStatus, TaskStatusSchema } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import type { TaskRow } from "../entities/task.ts";
import { task } from "../task-messages.ts";
import { taskColumns } from "../task-sql.ts";

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

const matching = `FROM catalog.task t
  WHERE t.application_id = $1 AND t.status = ANY ($2)
    AND ($3::text IS NULL OR t.title ILIKE $3 OR t.description ILIKE $3)
    AND ($4::uuid[] IS NULL OR t.topic_id = ANY ($4))
    AND ($5::uuid[] IS NULL OR EXISTS (SELECT FROM catalog.task_tag x
      WHERE x.application_id = t.application_id AND x.task_id = t.id AND x.tag_id = ANY ($5)))
    AND ($6::uuid[] IS NULL OR EXISTS (SELECT FROM catalog.eval_definition_task l
      WHERE l.application_id = t.application_id AND l.task_id = t.id AND l.definition_id = ANY ($6)))`;

/** A page of the caller's application's tasks. */
export function listTasks({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const asked = request.status.length > 0 ? request.status : statusesDefault;
    const filters = [
      call.tenant.applicationId,
      asked.map((status) => enumName(TaskStatusSchema, status)),
      request.search === undefined ? null : containing(request.search),
      request.topicId.length > 0 ? request.topicId : null,
      request.tagId.length > 0 ? request.tagId : null,
      request.definitionId.length > 0 ? request.definitionId : null,
    ];
    const { rows, total } = await (request.search === undefined ? listed : searched)(database, call, filters, page);
    return { data: rows.map(task), pagination: pagination(page, total) };
  };
}

interface TaskPage {
  readonly rows: readonly TaskRow[];
  readonly total: number;
}

async function listed(database: Database, call: Call, filters: unknown[], page: Page): Promise<TaskPage> {
  const [rows, counts] = await database.readAll(call, [
    {
      name: `list-tasks-${page.orderName}`,
      text: `SELECT ${taskColumns} ${matching} ORDER BY ${page.orderBy} LIMIT $7 OFFSET $8`,
      values: [...filters, page.limit, page.skip],
    },
    { name: "count-tasks", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
  ]);
  return { rows: rows as TaskRow[], total: counts?.[0]?.total ?? 0 };
}

/**
 * A search has to go through the texts of all tasks, which is most of its time: page and total come of going through
 * them once. The total stands on every row, and on one without a task when the page is empty.
 */
async function searched(database: Database, call: Call, filters: unknown[], page: Page): Promise<TaskPage> {
  const rows = await database.read<(TaskRow | { id: null }) & { total: number }>(call, {
    name: `search-tasks-${page.orderName}`,
    text: `
      WITH found AS MATERIALIZED (SELECT t.id, t.created_at, t.modified_at, t.title, t.status ${matching}),
        page AS (SELECT t.id FROM found t ORDER BY ${page.orderBy} LIMIT $7 OFFSET $8)
      SELECT ${taskColumns}, counted.total
      FROM (SELECT count(*)::int AS total FROM found) counted
        LEFT JOIN (page JOIN catalog.task t ON t.application_id = $1 AND t.id = page.id) ON true
      ORDER BY ${page.orderBy}`,
    values: [...filters, page.limit, page.skip],
  });
  return {
    rows: rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row])),
    total: rows[0]?.total ?? 0,
  };
}
