import type { RelayDatabase } from "../db/relay-database.ts";

interface Aged {
  /** Table with application_id, and an index on it and `age`. */
  readonly table: string;
  readonly age: string;
}

/** Lists the applications with rows older than `before`, by two index lookups for each application that has rows. */
export async function applicationsWith(
  relayDatabase: RelayDatabase,
  { table, age }: Aged,
  before: Date,
): Promise<string[]> {
  const rows = await relayDatabase.query<{ id: string }>({
    text: `WITH RECURSIVE application AS (
        (SELECT a.application_id AS id FROM ${table} a ORDER BY a.application_id LIMIT 1)
        UNION ALL
        SELECT (SELECT a.application_id FROM ${table} a WHERE a.application_id > application.id ORDER BY a.application_id LIMIT 1)
        FROM application WHERE application.id IS NOT NULL
      )
      SELECT application.id FROM application
      CROSS JOIN LATERAL (SELECT FROM ${table} a WHERE a.application_id = application.id AND a.${age} < $1
        ORDER BY a.${age} LIMIT 1) aged`,
    values: [before],
  });
  return rows.map(({ id }) => id);
}
