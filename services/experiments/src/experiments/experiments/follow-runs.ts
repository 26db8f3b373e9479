import { buildSelectList } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import { lockExperiment, updateStatus } from "./lock-experiment.ts";
import { VariantEntity, type VariantRow } from "./variant-entity.ts";

/** A run and its current status. */
export interface FollowedRun {
  readonly id: string;
  readonly status: "PENDING" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
}

const ofRuns = `SELECT ${buildSelectList(VariantEntity, "v")} FROM experiments.experiment_variant v
  WHERE v.application_id = $1 AND v.id = ANY ($2::uuid[]) AND v.run_id = ANY ($3::uuid[]) ORDER BY v.experiment_id`;

const lockOfRuns = `SELECT e.id FROM experiments.experiment e WHERE e.application_id = $1 AND e.id IN (
    SELECT v.experiment_id FROM experiments.experiment_variant v
    WHERE v.application_id = $1 AND v.id = ANY ($2::uuid[]) AND v.run_id = ANY ($3::uuid[]))
  ORDER BY e.id FOR NO KEY UPDATE`;

/**
 * Locks the experiments whose variants use the locked runs. Call this before changing the sums of their tests, because
 * starting a run also locks the experiment before it changes sums.
 */
export async function lockExperimentsOfRuns(
  tx: Transaction,
  applicationId: string,
  runs: readonly { readonly id: string; readonly experimentVariantId: string | null }[],
): Promise<void> {
  const named = runs.flatMap(({ experimentVariantId }) => experimentVariantId ?? []);
  if (named.length === 0) return;
  const values = [applicationId, named, runs.map(({ id }) => id)];
  await tx.query({ name: "lock-experiments-of-runs", text: lockOfRuns, values });
}

/** Updates locked variants to the status of their last runs, then the locked experiments. */
export async function followRuns(
  tx: Transaction,
  applicationId: string,
  now: Date,
  runs: readonly (FollowedRun & { readonly experimentVariantId: string | null })[],
): Promise<void> {
  const named = runs.flatMap(({ experimentVariantId }) => experimentVariantId ?? []);
  if (named.length === 0) return;
  const statuses = new Map(runs.map(({ id, status }) => [id, status === "PENDING" ? "IN_PROGRESS" : status]));
  const values = [applicationId, named, [...statuses.keys()]];
  const found = await tx.query<VariantRow>({ name: "variants-of-runs", text: ofRuns, values });
  for (const experimentId of new Set(found.map((variant) => variant.experimentId))) {
    const { experiment, variants } = await lockExperiment(tx, applicationId, experimentId);
    const followed = variants.map((variant) => {
      const status = statuses.get(variant.runId ?? "");
      if (status === undefined || variant.status === "REJECTED") return variant;
      return { ...variant, status: status === "IN_PROGRESS" ? ("RUNNING" as const) : status };
    });
    for (const [at, { id, status }] of followed.entries()) {
      if (status !== variants[at]?.status)
        tx.deferUpdate(VariantEntity, { applicationId, id }, { status, modifiedAt: now });
    }
    updateStatus(tx, experiment, followed, now);
  }
}
