// Which traces are in the archive: PostgreSQL knows their ids.

import type { Transaction } from "@ems/kit/db/transaction";
import { derivedId } from "@ems/kit/id";

/** Those of `$2`, and when they were created. */
export const archivedAmong = `SELECT d.id, d.created_at AS "createdAt" FROM traces.dropped_trace d
  WHERE d.application_id = $1 AND d.id = ANY ($2::uuid[])`;

/** The id of the trace that later steps of an archived trace go to. */
export function continuationId(traceId: string): string {
  return derivedId("continuation", traceId);
}

/** A trace was archived while a transaction added to it. */
export class ArchivedMeanwhile extends Error {
  override name = "ArchivedMeanwhile";
}

export async function isInArchive(tx: Transaction, applicationId: string, id: string): Promise<boolean> {
  const found = await tx.query({ name: "archived-among", text: archivedAmong, values: [applicationId, [id]] });
  return found.length > 0;
}

/** Last in a transaction that stored traces with these ids: throws when one of them is in the archive. */
export async function assertNotArchived(tx: Transaction, applicationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await tx.query({ name: "archived-among", text: archivedAmong, values: [applicationId, ids] });
  if (found.length > 0) throw new ArchivedMeanwhile("a trace was archived meanwhile");
}
