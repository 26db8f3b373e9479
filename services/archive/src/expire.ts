// Retention in the archive: whole months are dropped as partitions; expired days of other months are deleted row by
// row.

import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { deleteRows, dropMonth, type Source } from "./copy.ts";
import { type ArchiveOptions, countedTables, getKind } from "./kind.ts";
import type { ArchiveKind } from "./types.ts";

export interface ExpireDeps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  /** ClickHouse access; undefined if no archive is configured. */
  readonly source?: Source | undefined;
}

const timeoutMs = 30_000;

/**
 * Deletes archived rows of the kind from before the time. Returns the number of deleted rows that only the archive had,
 * not counting steps.
 */
export async function expireArchived(
  { database, relayDatabase, source }: ExpireDeps,
  options: Pick<ArchiveOptions, "schema" | "kinds">,
  kind: ArchiveKind,
  before: Date,
): Promise<number> {
  const archived = getKind(options, kind);
  const batches = `${options.schema}.archive_batch`;
  const places = await relayDatabase.query<{ applicationId: string; month: Date }>({
    text: `SELECT b.application_id AS "applicationId", date_trunc('month', b.ends - interval '1 ms', 'UTC') AS month
      FROM ${batches} b WHERE b.kind = $1 AND b.ends <= $2 GROUP BY 1, 2`,
    values: [kind, before],
  });
  if (places.length === 0) return 0;
  if (source === undefined)
    throw new Error(
      "CLICKHOUSE_URL is not set, but the archive has rows past their retention: set it so that they can be deleted",
    );
  const isWhole = (month: Date) => Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1) <= before.getTime();
  const months = new Map(places.map(({ month }) => [month.getTime(), month]));
  for (const table of archived.tables) {
    for (const month of months.values()) if (isWhole(month)) await dropMonth(source, table, month);
    for (const { applicationId, month } of places) {
      if (!isWhole(month)) await deleteRows(source, table, applicationId, { before: before.getTime() });
    }
  }
  const forget = `WITH forgotten AS (
      DELETE FROM ${batches} WHERE application_id = $1 AND kind = $2 AND ends <= $3 RETURNING state, checks
    ) SELECT coalesce(sum((c.sums ->> 'rows')::bigint), 0)::float8 AS rows
    FROM forgotten f, jsonb_each(f.checks) c (name, sums) WHERE f.state = 'dropped' AND c.name = ANY ($4)`;
  let rows = 0;
  for (const applicationId of new Set(places.map((place) => place.applicationId))) {
    const values = [applicationId, kind, before, countedTables(archived)];
    const [result] = await database.execute({ applicationId }, monotonicMs() + timeoutMs, [{ text: forget, values }]);
    await archived.onExpired?.(database, applicationId, before);
    rows += Number(result?.rows[0]?.rows ?? 0);
  }
  return rows;
}
