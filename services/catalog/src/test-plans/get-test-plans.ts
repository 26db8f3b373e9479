import type { JsonObject } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { failure } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { TaskType } from "@ems/proto/catalog/v1/task_service";
import { GetTestPlansResponseSchema, type TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import { type Expectation, linkConfig } from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import { assertPageFits } from "../sizes.ts";
import { type ExampleColumns, exampleMessages, type TaskRow } from "../tasks/index.ts";

const tasksById = `SELECT id AS "taskId", topic_id AS "topicId", type, title, description, prompts, examples, metadata,
    simulated_prompt_schema AS "simulatedPromptSchema", status
  FROM catalog.task WHERE application_id = $1 AND id = ANY ($2::uuid[])`;

/** Selects the stored (compressed) size of the expected answers of tasks and of their links, without reading them. */
const storedBytes = `SELECT coalesce(sum(coalesce(pg_column_size(expected), 0) + coalesce(pg_column_size(expected_list), 0)), 0)::float8
    + (SELECT coalesce(sum(coalesce(pg_column_size(examples), 0) + pg_column_size(prompts)), 0)::float8
      FROM catalog.task WHERE application_id = $1 AND id = ANY ($2::uuid[])) AS bytes
  FROM (
    SELECT expected, expected_list FROM catalog.eval_definition_task WHERE application_id = $1 AND task_id = ANY ($2::uuid[])
    UNION ALL
    SELECT topic.expected, topic.expected_list FROM catalog.task
      JOIN catalog.eval_definition_topic topic USING (application_id, topic_id)
      WHERE task.application_id = $1 AND task.id = ANY ($2::uuid[])
  ) link`;

/** Selects each definition of a task once, with the expected answer from the task's link, else from the topic's. */
const definitionsByTask = `SELECT DISTINCT ON (link.task_id, definition.created_at, definition.id)
    link.task_id AS "taskId", definition.id, definition.type, link.expected, link.expected_list AS "expectedList"
  FROM (
    SELECT task_id, definition_id, expected, expected_list, 1 AS distance FROM catalog.eval_definition_task
      WHERE application_id = $1 AND task_id = ANY ($2::uuid[])
    UNION ALL
    SELECT task.id, topic.definition_id, topic.expected, topic.expected_list, 2 FROM catalog.task
      JOIN catalog.eval_definition_topic topic USING (application_id, topic_id)
      WHERE task.application_id = $1 AND task.id = ANY ($2::uuid[])
    UNION ALL
    SELECT task.id, application.definition_id, NULL, NULL, 3 FROM catalog.task
      JOIN catalog.eval_definition_application application USING (application_id)
      WHERE task.application_id = $1 AND task.id = ANY ($2::uuid[])
  ) link
  JOIN catalog.eval_definition definition ON definition.application_id = $1 AND definition.id = link.definition_id
  WHERE definition.status = 'ACTIVE'
  ORDER BY link.task_id, definition.created_at, definition.id,
    (link.expected IS NULL AND link.expected_list IS NULL), link.distance`;

interface PlannedTask {
  readonly taskId: string;
  readonly topicId: string | null;
  readonly type: keyof typeof TaskType;
  readonly title: string;
  readonly description: string;
  readonly prompts: string[];
  readonly examples: TaskRow["examples"];
  readonly metadata: JsonObject;
  readonly simulatedPromptSchema: JsonObject | null;
  readonly status: string;
}

interface PlannedLink extends Expectation {
  readonly taskId: string;
  readonly id: string;
  readonly type: keyof typeof EvalDefinitionType;
}

export function getTestPlans({ database }: Deps): Handlers<typeof TestPlanService>["getTestPlans"] {
  return async ({ taskIds }, call) => {
    const values = [call.tenant.applicationId, taskIds];
    if (taskIds.length > 1) {
      // Checks the size first: reading megabytes that are then refused would dominate the cost of starting a run.
      const statement = { name: "size-of-plans", text: storedBytes, values };
      const [size] = await database.read<{ bytes: number }>(call, statement);
      if ((size?.bytes ?? 0) > answerBytesMax)
        throw failure("ANSWER_TOO_LARGE", `The answer is larger than ${sizeText(answerBytesMax)}`);
    }
    const [tasks, links] = await database.readAll(call, [
      { name: "planned-tasks", text: tasksById, values },
      { name: "planned-definitions", text: definitionsByTask, values },
    ]);
    // Safe cast: the row types match the statements' select lists.
    const linksByTask = Map.groupBy(links as PlannedLink[], ({ taskId }) => taskId);
    const plans = (tasks as PlannedTask[]).map((task) => plan(task, linksByTask.get(task.taskId) ?? []));
    const answer = create(GetTestPlansResponseSchema, { plans });
    assertPageFits(GetTestPlansResponseSchema, answer);
    return answer;
  };
}

function plan(
  { topicId, simulatedPromptSchema, prompts, examples, status, ...task }: PlannedTask,
  links: PlannedLink[],
) {
  return {
    ...task,
    type: TaskType[task.type],
    inputExamples: prompts,
    examples: plannedExamples({ prompts, examples }),
    isArchived: status === "ARCHIVED",
    ...definedFields({ topicId: topicId ?? undefined, simulatedPromptSchema: simulatedPromptSchema ?? undefined }),
    definitions: links.map(({ id, type, ...expectation }) => ({
      id,
      type: EvalDefinitionType[type],
      ...linkConfig(expectation),
    })),
  };
}

/** Returns the details of the prompts that have any. */
function plannedExamples(columns: ExampleColumns) {
  return exampleMessages(columns).flatMap(({ input: _, ...details }, position) =>
    Object.keys(details).length === 0 ? [] : [{ position, ...details }],
  );
}
