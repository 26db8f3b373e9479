import pg from "pg";
import type { TestDatabase } from "./database.ts";

/** The parts of TypeORM's runner that migrations use. */
interface Runner {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** Runs a migration's `up` or `down` like the migration command: in one transaction, as the owner. */
export async function ownerTransaction<Needed extends Runner>(
  { ownerUrl }: TestDatabase,
  work: (runner: Needed) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const query = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows;
  try {
    await query("BEGIN");
    // Migrations use nothing else of a runner.
    await work({ query } as unknown as Needed);
    await query("COMMIT");
  } finally {
    await client.end();
  }
}
