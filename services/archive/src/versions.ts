// Fingerprints of rows: any change of a row since it was copied changes the fingerprint.

import type { Transaction } from "@ems/kit/db/transaction";
import { type ArchivedTable, getBareTableName, selectRows } from "./kind.ts";
import type { Interval } from "./types.ts";

/** Row count, and the sum of hashes of ids and writing transactions, by table. */
export type Versions = Readonly<Record<string, { readonly rows: string; readonly hash: string }>>;

/** SQL of the fingerprint of a table's rows. `lock` may lock the rows, which does not change their `xmin`. */
export function buildVersionsQuery(rows: string, lock = ""): string {
  return `SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(v.id::text || v.xmin::text, 0)), 0)::text AS hash
    FROM (SELECT r.id, r.xmin FROM ${rows}${lock}) v`;
}

/** Reads the fingerprints of the interval's rows and locks them. Parts of rows are locked through their root. */
export async function readVersions(
  tx: Transaction,
  tables: readonly ArchivedTable[],
  { applicationId, from, to }: Interval & { readonly applicationId: string },
): Promise<Versions> {
  const versions: Record<string, Versions[string]> = {};
  for (const table of tables) {
    const text = buildVersionsQuery(selectRows(table), table.rows === undefined ? " FOR UPDATE OF r" : "");
    const [found] = await tx.query<Versions[string]>(text, [applicationId, new Date(from), new Date(to)]);
    if (found !== undefined) versions[getBareTableName(table)] = found;
  }
  return versions;
}
