import { urlFor } from "@ems/kit/db/provision";
import { ownerRole, relayRole, runtimeRole, type Schema } from "@ems/kit/db/schema";
import { newId } from "@ems/kit/id";
import pg from "pg";

/** The PostgreSQL server of a test run, provided by the run's global set-up. */
export interface TestPostgres {
  /** URL as the superuser, of the maintenance database. */
  readonly adminUrl: string;
  /** A database with every schema migrated and no rows, to be cloned. */
  readonly template: string;
  readonly passwords: Readonly<Record<string, string>>;
}

export interface TestDatabase {
  /** URL as the service's runtime role. */
  getUrl(schema: Schema): string;
  readonly ownerUrl: string;
  /** URL as the service's relay role. */
  getRelayUrl(schema: Pick<Schema, "name">): string;
  readonly superuserUrl: string;
  /** Runs SQL as the superuser, which bypasses row-level security, to insert and inspect rows. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs SQL that locks, in a transaction; returns a function that rolls it back. */
  lock(text: string, values?: unknown[]): Promise<() => Promise<void>>;
  drop(): Promise<void>;
}

/** A database for a test file, cloned from the run's template. */
export async function testDatabase({ adminUrl, template, passwords }: TestPostgres): Promise<TestDatabase> {
  const name = `t_${newId().replaceAll("-", "")}`;
  const admin = new pg.Pool({ connectionString: adminUrl, max: 1 });
  admin.on("error", () => undefined);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  await admin.query(`GRANT CONNECT ON DATABASE ${name} TO PUBLIC`);
  const superuserUrl = new URL(`/${name}`, adminUrl).href;
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 2 });
  pool.on("error", () => undefined);
  return {
    getUrl: (schema) => urlFor(superuserUrl, runtimeRole(schema), passwords),
    ownerUrl: urlFor(superuserUrl, ownerRole, passwords),
    getRelayUrl: (schema) => urlFor(superuserUrl, relayRole(schema), passwords),
    superuserUrl,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    lock: async (text, values) => {
      const client = await pool.connect();
      await client.query("BEGIN");
      await client.query(text, values);
      return async () => {
        await client.query("ROLLBACK");
        client.release();
      };
    },
    drop: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}
