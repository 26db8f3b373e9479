import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../../deps.ts";
import { ExperimentEntity, type ExperimentRow, experimentVersions } from "./entity.ts";
import { experimentAssigned } from "./events.ts";
import { experiment } from "./messages.ts";
import { checkParts } from "./queries.ts";

type Handler = Handlers<typeof ExperimentService>["createExperiment"];

/** Creates an experiment in the caller's application. */
export function createExperiment({ database, publish, clock, newId, references }: Deps): Handler {
  return async ({ title, description, assignee, ...ids }, call) => {
    const { applicationId, orgId } = call.tenant;
    const inferenceStepIds = distinctIds(ids.inferenceStepIds);
    const taskIds = distinctIds(ids.taskIds);
    const check = () => checkParts({ database, references }, call, { inferenceStepIds, taskIds });
    const now = clock.now();
    const row: ExperimentRow = {
      applicationId,
      id: newId(),
      orgId,
      title,
      description: description ?? "",
      status: "DRAFT",
      inferenceStepIds,
      taskIds,
      assignee: assignee ?? null,
      createdAt: now,
      modifiedAt: now,
      promotedVariantId: null,
      taskSet: null,
    };
    const data = experiment(row);
    return database.changeAfter(call, check, async (tx) => {
      await tx.insert(ExperimentEntity, row);
      await publish(tx, call.tenant, { case: "experimentCreated", value: data });
      if (row.assignee !== null) await publish(tx, call.tenant, experimentAssigned(row, row.assignee));
      experimentVersions.answer(call, row);
      return { data };
    });
  };
}
