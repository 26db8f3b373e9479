import { enumName } from "@ems/kit/enum";
import { failure, notFound } from "@ems/kit/errors";
import { textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import { type ExperimentService, ExperimentStatusSchema } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../deps.ts";
import { ExperimentEntity } from "./entity.ts";
import { experimentAssigned } from "./events.ts";
import { experiment } from "./messages.ts";
import { canBecome, type ExperimentStatusName } from "./status.ts";

type Handler = Handlers<typeof ExperimentService>["updateExperiment"];

/** Changes the given fields of an experiment; its status goes forward only. */
export function updateExperiment({ database, publish, clock }: Pick<Deps, "database" | "publish" | "clock">): Handler {
  return async ({ id, title, description, assignee, status }, call) => {
    const { applicationId } = call.tenant;
    const person = textOrNull(assignee);
    return database.change(call, async (tx) => {
      // The row lock serializes concurrent changes of status.
      const row = await tx.findOne(ExperimentEntity, { applicationId, id }, { lock: "UPDATE" });
      if (row === null) throw notFound("Experiment");
      const next = status === undefined ? row.status : enumName<ExperimentStatusName>(ExperimentStatusSchema, status);
      if (!canBecome(row.status, next))
        throw failure("STATE_CONFLICT", `The experiment is ${row.status} and cannot become ${next}`);

      const change = {
        title: title ?? row.title,
        description: description ?? row.description,
        assignee: person === undefined ? row.assignee : person,
        status: next,
        modifiedAt: clock.now(),
      };
      await tx.update(ExperimentEntity, { applicationId, id }, change);
      if (change.assignee !== null && change.assignee !== row.assignee) {
        await publish(tx, call.tenant, experimentAssigned({ id, title: change.title }, change.assignee));
      }
      return { data: experiment({ ...row, ...change }) };
    });
  };
}
