import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import { ExperimentEntity, type ExperimentRow } from "./entity.ts";
import { statusOf } from "./status.ts";
import { VariantEntity, type VariantRow } from "./variant-entity.ts";

export interface LockedExperiment {
  readonly experiment: ExperimentRow;
  /** All of them, the oldest first. */
  readonly variants: readonly VariantRow[];
}

/** An experiment with its variants, until the transaction ends: whoever changes one of them locks the experiment. */
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

/** Gives a locked experiment the status that follows from its variants as they are now. Deferred. */
export function updateStatus(
  tx: Transaction,
  { applicationId, id, status }: ExperimentRow,
  variants: readonly Pick<VariantRow, "parentId" | "status">[],
  now: Date,
): void {
  const next = statusOf(status, variants);
  if (next !== status) tx.deferUpdate(ExperimentEntity, { applicationId, id }, { status: next, modifiedAt: now });
}
