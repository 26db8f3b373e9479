import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { TaskEntity } from "./entity.ts";
import { archivedTask } from "./messages.ts";
import { definitionsOfTasks, taskById } from "./queries.ts";

export function archiveTask({ publish, clock, ...deps }: Deps): Handlers<typeof TaskService>["archiveTask"] {
  const { database } = deps;
  return async ({ id }, call) => {
    // Runs before the transaction, so that no row stays locked during the call to identity.
    const find = async () => {
      const { lastTest, schedule } = await taskById.read(database, call, id);
      return { measured: { lastTest, schedule }, definitions: (await definitionsOfTasks(deps, call, [id]))(id) };
    };
    return database.changeAfter(call, find, async (tx, { measured, definitions }) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.findOne(TaskEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Task");
      if (row.status === "ARCHIVED") return {};

      const change = { status: "ARCHIVED", modifiedAt: clock.now() } as const;
      tx.deferUpdate(TaskEntity, key, change);
      const value = archivedTask({ ...row, ...change, ...measured }, definitions);
      await publish(tx, call.tenant, { case: "taskArchived", value });
      return {};
    });
  };
}
