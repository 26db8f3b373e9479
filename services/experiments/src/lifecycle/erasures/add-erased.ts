import type { Transaction } from "@ems/kit/db/transaction";
import { type Counts, ErasureEntity } from "./entity.ts";
import { added } from "./messages.ts";

/** Adds the counts of erased items to an erasure. */
export async function addErased(
  tx: Transaction,
  applicationId: string,
  id: string,
  now: Date,
  counts: Counts,
): Promise<void> {
  const row = await tx.findOne(ErasureEntity, { applicationId, id }, { lock: "UPDATE" });
  if (row === null) return;
  tx.deferUpdate(ErasureEntity, { applicationId, id }, { erased: added(row.erased, counts), modifiedAt: now });
}
