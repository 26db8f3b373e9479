import type { Transaction } from "@ems/kit/db/transaction";
import type { Call } from "@ems/kit/rpc/call";
import { QueueItemEntity, type QueueItemRow } from "./entity.ts";

/** Completes the item unless it is completed already. */
export function completeItem(
  tx: Transaction,
  { id, completedAt }: Pick<QueueItemRow, "id" | "completedAt">,
  { tenant }: Call,
  now: Date,
): void {
  if (completedAt !== null) return;
  tx.deferUpdate(QueueItemEntity, { applicationId: tenant.applicationId, id }, { completedAt: now });
}
