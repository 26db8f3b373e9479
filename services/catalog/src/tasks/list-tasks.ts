import { create } from "@bufbuild/protobuf";
import { defineList, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { MetricLevelSchema } from "@ems/proto/catalog/v1/metrics";
import {
  type ListTasksRequest,
  ListTasksResponseSchema,
  ScheduleCriticalitySchema,
  TaskOrderSchema,
  type TaskService,
  TaskStateSchema,
  TaskStatusSchema,
} from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { bucketSumsOfTasks, taskMetrics } from "../metrics/index.ts";
import { assertPageFits, pageTooLarge } from "../sizes.ts";
import { tagsOfTasks } from "../tags/index.ts";
import { TaskEntity, type TaskRow } from "./entity.ts";
import { listedTask, type TaskReadRow } from "./messages.ts";
import { definitionsOfTasks, taskColumns } from "./queries.ts";

/** Statuses listed by default: all except archived. */
const statusesDefault = ["DEDUCED", "DRAFT", "ACTIVE"];

/** Maximum size of the stored examples of a page. */
const examplesBytesMax = 6 * 1024 * 1024;

const list = defineList<TaskRow, TaskReadRow>(TaskEntity, {
  alias: "task",
  orderBy: TaskOrderSchema,
  columns: taskColumns,
  where: {
    status: "task.status = ANY (?)",
    topicId: "task.topic_id = ANY (?)",
    tagId: `EXISTS (SELECT FROM catalog.task_tag
      WHERE task_tag.application_id = task.application_id AND task_tag.task_id = task.id AND task_tag.tag_id = ANY (?))`,
    definitionId: `EXISTS (SELECT FROM catalog.eval_definition_task link
      WHERE link.application_id = task.application_id AND link.task_id = task.id AND link.definition_id = ANY (?))`,
    levels: "task.id = ANY (ARRAY(SELECT catalog.find_measured_tasks(?::jsonb)))",
    scheduleCriticality: `EXISTS (SELECT FROM catalog.task_schedule_v1 schedule
      WHERE schedule.application_id = task.application_id AND schedule.task_id = task.id AND schedule.criticality = ANY (?))`,
  },
  orders: {
    lastTest: `coalesce((SELECT stat.last_test_at FROM reporting.task_stat_v1 stat
      WHERE stat.application_id = task.application_id AND stat.task_id = task.id), '-infinity')`,
  },
  unstable: ["lastTest"],
  counts: { times: { createdAt: "created_at" }, groups: ["status"] },
  search: "catalog.find_task",
  // Keeps PostgreSQL from sending large examples, which a response has three times.
  fits: `${examplesBytesMax} >= (SELECT sum(octet_length(sized.prompts::text) + coalesce(octet_length(sized.examples::text), 0))
    FROM page JOIN catalog.task sized ON sized.application_id = $1 AND sized.id = page.id)`,
});

export function listTasks(deps: Deps): Handlers<typeof TaskService>["listTasks"] {
  const { database } = deps;
  return async (request, call) => {
    const { rows, pagination, isTooLarge } = await readPage(deps, request, call);
    if (isTooLarge) throw pageTooLarge();
    const ids = rows.map(({ id }) => id);
    const [getDefinitions, sums, tags] = await Promise.all([
      definitionsOfTasks(deps, call, ids),
      bucketSumsOfTasks(database, call, ids),
      tagsOfTasks(database, call, ids),
    ]);
    const data = rows.map((row) =>
      listedTask(row, getDefinitions(row.id), taskMetrics(sums.get(row.id)), tags.get(row.id) ?? []),
    );
    const answer = create(ListTasksResponseSchema, { data, pagination });
    // The page may be too large, because it contains each task's definitions and each definition's topics.
    if (rows.some(({ id }) => getDefinitions(id).links.length > 0)) assertPageFits(ListTasksResponseSchema, answer);
    return answer;
  };
}

const lifecycle: ReadonlySet<string> = new Set(enumNames(TaskStatusSchema, [1, 2, 3, 4]));

function readPage({ database }: Deps, request: ListTasksRequest, call: Call) {
  const { search } = request;
  const states = enumNames(TaskStateSchema, request.status) ?? [];
  const levels = formatLevels(request, states);
  const filters = {
    status: nonEmptyOrNull(states.filter((state) => lifecycle.has(state))) ?? statusesDefault,
    topicId: nonEmptyOrNull(request.topicId),
    tagId: nonEmptyOrNull(request.tagId),
    definitionId: nonEmptyOrNull([...request.definitionId, ...request.evalDefinitionId]),
    scheduleCriticality: enumNames(ScheduleCriticalitySchema, request.scheduleCriticality),
    levels,
  };
  const read = () => listPage(database, call, list, request, filters, { search });
  // A search is already run as an expensive query.
  return levels !== null && search === undefined ? database.runExpensive(call, read) : read();
}

/** Builds the argument of `find_measured_tasks`; null if the request does not filter by level. */
function formatLevels(request: ListTasksRequest, states: readonly string[]): string | null {
  const levels = {
    confidence: enumNames(MetricLevelSchema, request.confidenceLevel),
    health: enumNames(MetricLevelSchema, request.healthScoreLevel),
    stability: enumNames(MetricLevelSchema, request.stabilityLevel),
    status: nonEmptyOrNull(states.filter((state) => !lifecycle.has(state))),
  };
  const requested = Object.entries(levels).filter(([, values]) => values !== null);
  return requested.length === 0 ? null : JSON.stringify(Object.fromEntries(requested));
}
