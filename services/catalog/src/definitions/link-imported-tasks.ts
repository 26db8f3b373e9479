import type { Upsert } from "@ems/kit/db/insert";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { TaskLinkEntity, type TaskLinkRow } from "./entity.ts";
import type { Expectation } from "./link-config.ts";

interface ImportedLinks {
  readonly taskId: string;
  readonly links: readonly ({ readonly definitionId: string } & Expectation)[];
}

const setExpected: Upsert<TaskLinkRow> = {
  key: ["applicationId", "definitionId", "taskId"],
  update: ["expected", "expectedList"],
  ifChanged: ["expected", "expectedList"],
};

/** Links imported tasks to their definitions. Publishes one event for the tasks that have the same definitions. */
export async function linkImportedTasks(
  { publish }: Pick<Deps, "publish">,
  tx: Transaction,
  call: Call,
  tasks: readonly ImportedLinks[],
): Promise<void> {
  const { applicationId } = call.tenant;
  const rows = tasks
    .flatMap(({ taskId, links }) => links.map((link) => ({ applicationId, taskId, ...link })))
    // A fixed order of locks prevents deadlocks.
    .sort((a, b) => (`${a.taskId}${a.definitionId}` < `${b.taskId}${b.definitionId}` ? -1 : 1));
  if (rows.length === 0) return;
  const linked = await tx.insertReturning(TaskLinkEntity, rows, ["taskId"], setExpected);
  const linkedIds = new Set(linked.map(({ taskId }) => taskId));
  const changed = tasks.filter(({ taskId }) => linkedIds.has(taskId));
  const same = Map.groupBy(changed, ({ links }) => JSON.stringify(links.map(({ definitionId }) => definitionId)));
  for (const group of same.values()) {
    const evalIds = group[0]?.links.map(({ definitionId }) => definitionId) ?? [];
    const taskIds = group.map(({ taskId }) => taskId);
    await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, taskIds } });
  }
}
