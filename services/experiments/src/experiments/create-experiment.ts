import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../deps.ts";
import { ExperimentEntity, type ExperimentRow } from "./entity.ts";
import { experimentAssigned } from "./events.ts";
import { experiment } from "./messages.ts";

type Handler = Handlers<typeof ExperimentService>["createExperiment"];

const missingSteps = `SELECT FROM unnest($2::uuid[]) AS requested (id)
  WHERE NOT EXISTS (SELECT FROM experiments.inference_step s WHERE s.application_id = $1 AND s.id = requested.id)
  LIMIT 1`;

/** A new experiment of the caller's application. */
export function createExperiment({ database, publish, clock, newId, references }: Deps): Handler {
  return async ({ title, description, assignee, ...ids }, call) => {
    const { applicationId, orgId } = call.tenant;
    const inferenceStepIds = distinctIds(ids.inferenceStepIds);
    const taskIds = distinctIds(ids.taskIds);
    const check = async () => {
      if (inferenceStepIds.length > 0) {
        const values = [applicationId, inferenceStepIds];
        const missing = await database.read(call, { name: "missing-inference-steps", text: missingSteps, values });
        if (missing.length > 0) throw notFound("Inference step");
      }
      if (taskIds.length > 0) {
        const { missingTaskIds } = await references.checkReferences({ taskIds }, forward(call));
        if (missingTaskIds.length > 0) throw notFound("Task");
      }
    };

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
    };
    const data = experiment(row);
    return database.changeAfter(call, check, async (tx) => {
      await tx.insert(ExperimentEntity, row);
      await publish(tx, call.tenant, { case: "experimentCreated", value: data });
      if (row.assignee !== null) await publish(tx, call.tenant, experimentAssigned(row, row.assignee));
      return { data };
    });
  };
}
