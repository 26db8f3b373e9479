import { notFound } from "@ems/kit/errors";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { TaskReference } from "@ems/proto/catalog/v1/reference_service";
import type { Deps } from "../deps.ts";

/** Finds a task of the application by id, archived or not. */
export async function findTask(
  { references }: Pick<Deps, "references">,
  call: Call,
  id: string,
): Promise<TaskReference> {
  const { tasks } = await references.checkReferences({ taskIds: [id] }, forward(call));
  const [task] = tasks;
  if (task === undefined) throw notFound("Task");
  return task;
}
