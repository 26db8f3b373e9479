import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import { ExperimentEntity, type ExperimentRow } from "./entity.ts";
import { deriveStatus } from "./status.ts";
import { VariantEntity, type VariantRow } from "./variant-entity.ts";

export interface LockedExperiment {
  readonly experiment: ExperimentRow;
  /** All variants, oldest first. */
  readonly variants: readonly VariantRow[];
}

/**
 * Locks an experiment until the transaction ends and reads its variants. Lock the experiment before changing any of its
 * variants.
 */
export async function lockExperiment(
  tx: Transaction,
  applicationId: string,
  experimentId: string,
): Promise<LockedExperiment> {
  const [experiment, variants] = await Promise.all([
    tx.findOne(ExperimentEntity, { applicationId, id: experimentId }, { lock: "NO KEY UPDATE" }),
    tx.find(VariantEntity, { applicationId, experimentId }, { orderBy: { createdAt: "ASC", id: "ASC" } }),
  ]);
  if (experiment === null) throw notFound("Experiment");
  return { experiment, variants };
}

/** Updates a locked experiment to the status that follows from its current variants. Uses `tx.defer`. */
export function updateStatus(
  tx: Transaction,
  { applicationId, id, status }: ExperimentRow,
  variants: readonly Pick<VariantRow, "parentId" | "status">[],
  now: Date,
): void {
  const next = deriveStatus(status, variants);
  if (next !== status) tx.deferUpdate(ExperimentEntity, { applicationId, id }, { status: next, modifiedAt: now });
}
