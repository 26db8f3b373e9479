import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { TaskEntity } from "./entity.ts";
import { task } from "./messages.ts";

export function archiveTask({ database, publish, clock }: Deps): Handlers<typeof TaskService>["archiveTask"] {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.findOne(TaskEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Task");
      if (row.status === "ARCHIVED") return {};

      const change = { status: "ARCHIVED", modifiedAt: clock.now() } as const;
      tx.deferUpdate(TaskEntity, key, change);
      await publish(tx, call.tenant, { case: "taskArchived", value: task({ ...row, ...change }) });
      return {};
    });
}
