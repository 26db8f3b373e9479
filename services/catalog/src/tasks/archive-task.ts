import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TaskService } from "@ems/proto/catalog/v1/task_service";
import type { Deps } from "../deps.ts";
import { TaskEntity } from "./entity.ts";
import { task } from "./messages.ts";

type Handler = Handlers<typeof TaskService>["archiveTask"];

/** Archives a task, once. */
export function archiveTask({ database, publish, clock }: Pick<Deps, "database" | "publish" | "clock">): Handler {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const which = { applicationId: call.tenant.applicationId, id };
      const found = await tx.findOne(TaskEntity, which, { lock: "UPDATE" });
      if (found === null) throw notFound("Task");
      if (found.status === "ARCHIVED") return {};

      const change = { status: "ARCHIVED", modifiedAt: clock.now() } as const;
      await tx.update(TaskEntity, which, change);
      await publish(tx, call.tenant, { case: "taskArchived", value: task({ ...found, ...change }) });
      return {};
    });
}
