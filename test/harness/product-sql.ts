// Direct access to the database of the project's product, for what no client can do, such as simulating elapsed time.

import { runningUrl } from "@ems/deploy/running-database";
import pg from "pg";
import { inject } from "vitest";

/** Runs SQL as the administrator. */
export async function productSql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const { dataDir, databaseUrl } = inject("product");
  const client = new pg.Client({ connectionString: databaseUrl ?? (await runningUrl(dataDir)) });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
