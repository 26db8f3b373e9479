// Makes recorded results the run of a variant, under the same rules as a run that is started here.

import type { Transaction } from "@ems/kit/db/transaction";
import { failure, invalidFields, notFound } from "@ems/kit/errors";
import type { FollowedRun } from "./follow-runs.ts";
import { lockExperiment, updateStatus } from "./lock-experiment.ts";
import { reasonAgainstRun } from "./run-rules.ts";
import { VariantEntity } from "./variant-entity.ts";

const experimentOfVariant = `SELECT v.experiment_id AS "experimentId" FROM experiments.experiment_variant v
  WHERE v.application_id = $1 AND v.id = $2`;

interface RecordedRun extends FollowedRun {
  readonly applicationId: string;
  readonly experimentVariantId: string | null;
}

/** Makes a new run the run of its variant, if it names one. `taskIds` contains each test's task, in request order. */
export async function followRecordedRun(
  tx: Transaction,
  { applicationId, id: runId, status, experimentVariantId }: RecordedRun,
  taskIds: readonly string[],
  now: Date,
): Promise<void> {
  if (experimentVariantId === null) return;
  const [found] = await tx.query<{ experimentId: string }>(experimentOfVariant, [applicationId, experimentVariantId]);
  if (found === undefined) throw notFound("Experiment variant");
  const { experiment, variants } = await lockExperiment(tx, applicationId, found.experimentId);
  const before = variants.find(({ id }) => id === experimentVariantId);
  if (before === undefined) throw notFound("Experiment variant");
  const reason = reasonAgainstRun(experiment, before, variants);
  if (reason !== undefined) throw failure("STATE_CONFLICT", reason);
  const tasks = new Set(experiment.taskIds);
  const faults = taskIds.flatMap((taskId, at) =>
    tasks.has(taskId) ? [] : [{ path: ["tests", at, "task_id"], message: "The experiment does not have this task" }],
  );
  if (faults.length > 0) throw invalidFields(faults);
  const ofVariant = status === "COMPLETED" || status === "FAILED" ? status : ("RUNNING" as const);
  const change = { status: ofVariant, runId, stopped: false };
  tx.deferUpdate(VariantEntity, { applicationId, id: experimentVariantId }, { ...change, modifiedAt: now });
  const after = variants.map((variant) => (variant.id === experimentVariantId ? { ...variant, ...change } : variant));
  updateStatus(tx, experiment, after, now);
}
