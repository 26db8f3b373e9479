import { rowById } from "@ems/kit/db/row-by-id";
import { notFound } from "@ems/kit/errors";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import { ExperimentEntity, type ExperimentRow } from "./entity.ts";

export const experimentById = rowById(ExperimentEntity, "Experiment");

const missingSteps = `SELECT FROM unnest($2::uuid[]) AS requested (id)
  WHERE NOT EXISTS (SELECT FROM experiments.inference_step s WHERE s.application_id = $1 AND s.id = requested.id)
  LIMIT 1`;

/** Throws "not found" unless the application has all of the experiment's inference steps and tasks. */
export async function checkParts(
  { database, references }: Pick<Deps, "database" | "references">,
  call: Call,
  { inferenceStepIds, taskIds }: Pick<ExperimentRow, "inferenceStepIds" | "taskIds">,
): Promise<void> {
  if (inferenceStepIds.length > 0) {
    const values = [call.tenant.applicationId, inferenceStepIds];
    const missing = await database.read(call, { name: "missing-inference-steps", text: missingSteps, values });
    if (missing.length > 0) throw notFound("Inference step");
  }
  if (taskIds.length > 0) {
    const { missingTaskIds } = await references.checkReferences({ taskIds }, forward(call));
    if (missingTaskIds.length > 0) throw notFound("Task");
  }
}
