import { enumName } from "@ems/kit/enum";
import { notFound } from "@ems/kit/errors";
import { definedFields, objectOrNull, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import { type TaskService, TaskStatusSchema, type UpdateTaskRequest } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { bucketSumsOfTasks, taskMetrics } from "../metrics/index.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { deferMove } from "./delete-source-topic.ts";
import { TaskEntity, type TaskRow, taskVersions } from "./entity.ts";
import { assertExamples, type ExampleColumns, exampleColumns, promptColumns } from "./examples.ts";
import { assertTaskFits, task } from "./messages.ts";
import { definitionsOfTasks, taskById } from "./queries.ts";

export function updateTask({ database, clock, applications }: Deps): Handlers<typeof TaskService>["updateTask"] {
  return async (request, call) => {
    const { id } = request;
    assertExamples(request.examples?.values ?? []);
    // Runs before the transaction, so that no row stays locked during the call to identity.
    const find = async () => {
      const { lastTest, schedule } = await taskById.read(database, call, id);
      const getDefinitions = await definitionsOfTasks({ database, applications }, call, [id]);
      const sums = await bucketSumsOfTasks(database, call, [id]);
      return { measured: { lastTest, schedule }, definitions: getDefinitions(id), metrics: taskMetrics(sums.get(id)) };
    };
    const answer = database.changeAfter(call, find, async (tx, { measured, definitions, metrics }) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.findOne(TaskEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Task");
      taskVersions.check(call, row);
      const change = readChanges(request, row);
      if (Object.keys(change).length === 0) {
        taskVersions.answer(call, row);
        return { task: task({ ...row, ...measured }, definitions, metrics) };
      }

      const changed = { ...change, ...releases(change), modifiedAt: clock.now() };
      const changedRow = { ...row, ...changed, ...measured };
      assertTaskFits(changedRow);
      taskVersions.answer(call, changedRow);
      const update = () => tx.deferUpdate(TaskEntity, key, changed);
      const [from, to = from] = [row.topicId, change.topicId];
      if (request.deleteEmptySourceTopic && from !== null && from !== to) {
        deferMove(tx, key.applicationId, { from, to }, update);
      } else update();
      return { task: task(changedRow, definitions, metrics) };
    });
    return answer.catch(rethrowMissingReference);
  };
}

/** Detaches a DEDUCED task from live traffic when a person moves it or takes it over; live traffic gets a new one. */
function releases({ topicId, status }: Partial<TaskRow>): Partial<TaskRow> {
  return topicId === undefined && status === undefined ? {} : { deducedFor: null };
}

function readChanges(request: UpdateTaskRequest, row: TaskRow): Partial<TaskRow> {
  const { title, description, isVerified } = request;
  const topic = textOrNull(request.topicId);
  const metadata = objectOrNull(request.metadata);
  return definedFields({
    title,
    description,
    topicId: topic?.toLowerCase() ?? topic,
    status: enumName<TaskRow["status"]>(TaskStatusSchema, request.status),
    isVerified,
    ...readExamples(request, row),
    metadata: metadata === null ? {} : metadata,
    simulatedPromptSchema: objectOrNull(request.simulatedPromptSchema),
  });
}

/** Returns the new examples. An empty list does not clear the prompts of a STATIC task, which requires prompts. */
function readExamples({ examples, inputExamples, prompts }: UpdateTaskRequest, row: TaskRow): Partial<ExampleColumns> {
  const isCleared = row.type !== "STATIC";
  if (examples !== undefined) return examples.values.length > 0 || isCleared ? exampleColumns(examples.values) : {};
  const isGiven = inputExamples !== undefined && prompts.length === 0;
  const inputs = isGiven ? inputExamples.values : prompts;
  return inputs.length > 0 || (isGiven && isCleared) ? promptColumns(inputs, row.examples) : {};
}
