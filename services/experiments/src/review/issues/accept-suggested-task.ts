import { failure, notFound } from "@ems/kit/errors";
import { toValue } from "@ems/kit/json/free-value";
import { definedFields } from "@ems/kit/patch";
import { type Call, forward } from "@ems/kit/rpc/call";
import { idempotencyKeyHeader } from "@ems/kit/rpc/idempotency-key";
import type { Handlers } from "@ems/kit/rpc/service";
import { type Task, TaskStatus } from "@ems/proto/catalog/v1/task_service";
import type { AcceptSuggestedTaskRequest, IssueService } from "@ems/proto/experiments/v1/issue_service";
import type { Deps } from "../../deps.ts";
import { IssueEntity, type IssueRow, issueVersions } from "./entity.ts";

type Handler = Handlers<typeof IssueService>["acceptSuggestedTask"];

/**
 * Accepts a suggested task. Catalog creates or changes the task first; a retry after a later failure finds the same
 * task. The issue stays locked until then, so that a request with an outdated If-Match changes no task.
 */
export function acceptSuggestedTask({ database, clock, tasks }: Pick<Deps, "database" | "clock" | "tasks">): Handler {
  return (request, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id: request.id.toLowerCase() };
      const row = await tx.findOne(IssueEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Issue");
      issueVersions.check(call, row);
      if (row.type !== "SUGGESTED_TASK")
        throw failure("STATE_CONFLICT", "Only an issue of type SUGGESTED_TASK can be accepted");
      const task = await takenOver(tasks, call, request, row);
      const { id: taskId, topicId = null } = task;
      const change = { taskId, topicId, status: "RESOLVED" as const, modifiedAt: clock.now() };
      tx.deferUpdate(IssueEntity, key, change);
      issueVersions.answer(call, { ...row, ...change });
      return { task };
    });
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
    // Concurrent requests, and retries after a crash, get the same task.
    const headers = { ...options.headers, [idempotencyKeyHeader]: `issue-${row.id}` };
    const made = await tasks.createTask(
      { title, description, status, ...definedFields({ topicId }) },
      { ...options, headers },
    );
    return requireTask(made.task);
  }
  const topic = topicId === undefined ? {} : { topicId: toValue(topicId) };
  const { task } = await tasks.updateTask({ id: row.taskId, title, description, status, ...topic }, forward(call));
  return requireTask(task);
}

function requireTask(task: Task | undefined): Task {
  if (task === undefined) throw failure("INTERNAL", "Catalog returned no task");
  return task;
}
