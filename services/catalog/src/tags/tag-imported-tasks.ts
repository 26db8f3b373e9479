import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { TaskTagEntity } from "./entity.ts";

interface ImportedTags {
  readonly taskId: string;
  readonly tagIds: readonly string[];
}

/** Adds tags to imported tasks. Publishes one event for the tasks that have the same tags. */
export async function tagImportedTasks(
  { publish }: Pick<Deps, "publish">,
  tx: Transaction,
  call: Call,
  tasks: readonly ImportedTags[],
): Promise<void> {
  const { applicationId } = call.tenant;
  const pairs = tasks
    .flatMap(({ taskId, tagIds }) => tagIds.map((tagId) => ({ applicationId, taskId, tagId })))
    // A fixed order of locks prevents deadlocks.
    .sort((a, b) => (`${a.taskId}${a.tagId}` < `${b.taskId}${b.tagId}` ? -1 : 1));
  if (pairs.length === 0) return;
  const tagged = await tx.insertReturning(TaskTagEntity, pairs, ["taskId"], "ignore");
  const taggedIds = new Set(tagged.map(({ taskId }) => taskId));
  const changed = tasks.filter(({ taskId }) => taggedIds.has(taskId));
  for (const group of Map.groupBy(changed, ({ tagIds }) => JSON.stringify(tagIds)).values()) {
    const value = { taskIds: group.map(({ taskId }) => taskId), tagIds: [...(group[0]?.tagIds ?? [])] };
    await publish(tx, call.tenant, { case: "taskTagged", value });
  }
}
