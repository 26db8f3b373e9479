// Handles archived traces, whose ids are still in PostgreSQL.

import type { Transaction } from "@ems/kit/db/transaction";
import { derivedId } from "@ems/kit/id";

/** Selects those of the traces `$2` that are archived, with their creation times. */
export const archivedAmong = `SELECT d.id, d.created_at AS "createdAt" FROM traces.dropped_trace d
  WHERE d.application_id = $1 AND d.id = ANY ($2::uuid[])`;

/** Returns the id of the trace that stores the later steps of an archived trace. */
export function continuationId(traceId: string): string {
  return derivedId("continuation", traceId);
}

/** Thrown if a trace was archived while a transaction added to it. */
export class ArchivedMeanwhile extends Error {
  override name = "ArchivedMeanwhile";
}

export async function isInArchive(tx: Transaction, applicationId: string, id: string): Promise<boolean> {
  const found = await tx.query({ name: "archived-among", text: archivedAmong, values: [applicationId, [id]] });
  return found.length > 0;
}

/** Throws if one of the traces is archived. Must be the last statement of a transaction that stores them. */
export async function assertNotArchived(tx: Transaction, applicationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await tx.query({ name: "archived-among", text: archivedAmong, values: [applicationId, ids] });
  if (found.length > 0) throw new ArchivedMeanwhile("a trace was archived meanwhile");
}
