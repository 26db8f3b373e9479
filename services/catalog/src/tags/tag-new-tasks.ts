import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { TaskTagEntity } from "./entity.ts";

/** Tags tasks that are being created. Nothing else can change their tags, and they have none yet. */
export async function tagNewTasks(
  { publish }: Pick<Deps, "publish">,
  tx: Transaction,
  call: Call,
  { taskIds, tagIds }: { readonly taskIds: readonly string[]; readonly tagIds: readonly string[] },
): Promise<void> {
  if (tagIds.length === 0) return;
  const { applicationId } = call.tenant;
  // Sorted: a fixed order of locks prevents deadlocks.
  const pairs = taskIds.flatMap((taskId) => tagIds.toSorted().map((tagId) => ({ applicationId, taskId, tagId })));
  await tx.insert(TaskTagEntity, pairs);
  await publish(tx, call.tenant, { case: "taskTagged", value: { taskIds: [...taskIds], tagIds: [...tagIds] } });
}
