import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { failure } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import { type Call, forward } from "@ems/kit/rpc/call";
import { idempotencyKeyHeader } from "@ems/kit/rpc/idempotency-key";
import type { Handlers } from "@ems/kit/rpc/service";
import { type Task, TaskStatus } from "@ems/proto/catalog/v1/task_service";
import type { AcceptSuggestedTaskRequest, IssueService } from "@ems/proto/experiments/v1/issue_service";
import type { Deps } from "../deps.ts";
import { IssueEntity, type IssueRow } from "./entity.ts";
import { issueById } from "./get-issue.ts";

type Handler = Handlers<typeof IssueService>["acceptSuggestedTask"];

/** Catalog makes or changes the task first: what fails afterwards is mended by a repetition, which finds the same task. */
export function acceptSuggestedTask({ database, clock, tasks }: Pick<Deps, "database" | "clock" | "tasks">): Handler {
  return async (request, call) => {
    const accept = async () => {
      const row = await issueById.read(database, call, request.id);
      if (row.type !== "SUGGESTED_TASK")
        throw failure("STATE_CONFLICT", "Only an issue of type SUGGESTED_TASK suggests a task");
      return takenOver(tasks, call, request, row);
    };
    return database.changeAfter(call, accept, async (tx, task) => {
      const { id: taskId, topicId = null } = task;
      const key = { applicationId: call.tenant.applicationId, id: request.id.toLowerCase() };
      const change = { taskId, topicId, status: "RESOLVED" as const, modifiedAt: clock.now() };
      tx.deferUpdate(IssueEntity, key, change);
      return { task };
    });
  };
}

async function takenOver(
  tasks: Deps["tasks"],
  call: Call,
  request: AcceptSuggestedTaskRequest,
  row: IssueRow,
): Promise<Task> {
  const { title, description } = request;
  const topicId = request.topicId?.toLowerCase() ?? row.topicId ?? undefined;
  const status = TaskStatus.ACTIVE;
  if (row.taskId === null) {
    const options = forward(call);
    // Of two at once, and of a repetition after a crash, both get one task.
    const headers = { ...options.headers, [idempotencyKeyHeader]: `issue-${row.id}` };
    const made = await tasks.createTask(
      { title, description, status, ...definedFields({ topicId }) },
      { ...options, headers },
    );
    return taskOf(made.task);
  }
  const topic = topicId === undefined ? {} : { topicId: fromJson(ValueSchema, topicId) };
  const { task } = await tasks.updateTask({ id: row.taskId, title, description, status, ...topic }, forward(call));
  return taskOf(task);
}

function taskOf(task: Task | undefined): Task {
  if (task === undefined) throw failure("INTERNAL", "Catalog returned no task");
  return task;
}
