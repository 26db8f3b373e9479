// Fingerprints of rows' versions: any change of a row since it was copied gives another one, whatever changed.

import type { Transaction } from "@ems/kit/db/transaction";
import { type ArchivedTable, nameOf, rowsOf } from "./kind.ts";
import type { Interval } from "./types.ts";

/** By table: how many rows, and a sum of hashes of their ids and the transactions that wrote them. */
export type Versions = Readonly<Record<string, { readonly rows: string; readonly hash: string }>>;

/** SQL of the fingerprint of a table's rows. Locking leaves `xmin` alone. */
export function versionsOf(rows: string, lock = ""): string {
  return `SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(v.id::text || v.xmin::text, 0)), 0)::text AS hash
    FROM (SELECT r.id, r.xmin FROM ${rows}${lock}) v`;
}

/** The fingerprints of the interval's rows, which the transaction locks. Parts of rows are locked with their root. */
export async function readVersions(
  tx: Transaction,
  tables: readonly ArchivedTable[],
  { applicationId, from, to }: Interval & { readonly applicationId: string },
): Promise<Versions> {
  const versions: Record<string, Versions[string]> = {};
  for (const table of tables) {
    const text = versionsOf(rowsOf(table), table.rows === undefined ? " FOR UPDATE OF r" : "");
    const [found] = await tx.query<Versions[string]>(text, [applicationId, new Date(from), new Date(to)]);
    if (found !== undefined) versions[nameOf(table)] = found;
  }
  return versions;
}
