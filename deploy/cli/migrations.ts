// How far the schemas of a database are.

import pg from "pg";
import { schemas } from "../schemas.ts";

export interface SchemaState {
  readonly schema: string;
  readonly applied: number;
  /** Migrations that `migrate` would run, in their order. */
  readonly pending: readonly string[];
  /** Migrations of a newer product, which this one does not know. */
  readonly unknown: readonly string[];
}

/** The state of every schema, read as the owner; changes nothing. */
export async function schemaStates(ownerUrl: string): Promise<SchemaState[]> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const states: SchemaState[] = [];
    for (const { name, migrations } of schemas) {
      const known = migrations.map((migration) => new migration().name ?? migration.name);
      const applied = await appliedOf(client, name);
      states.push({
        schema: name,
        applied: applied.length,
        pending: known.filter((one) => !applied.includes(one)),
        unknown: applied.filter((one) => !known.includes(one)),
      });
    }
    return states;
  } finally {
    await client.end();
  }
}

async function appliedOf(client: pg.Client, schema: string): Promise<string[]> {
  const table = `${pg.escapeIdentifier(schema)}.migration`;
  const { rows: found } = await client.query("SELECT to_regclass($1) IS NOT NULL AS there", [table]);
  if (!found[0].there) return [];
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`);
  return rows.map(({ name }) => name);
}
