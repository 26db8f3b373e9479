import type { TestDatabase } from "./database.ts";

/** Lists the tables of a schema, without partitions, that have the text in a column, including bytea columns. */
export async function placesOfText(database: TestDatabase, schema: string, text: string): Promise<string[]> {
  const tables = await database.sql<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(CASE WHEN a.atttypid = 'bytea'::regtype THEN 'encode(' || quote_ident(a.attname) || ', ''escape'')'
       ELSE quote_ident(a.attname) || '::text' END) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = $1::regnamespace GROUP BY 1 ORDER BY 1`,
    [schema],
  );
  const found: string[] = [];
  for (const { name, columns } of tables) {
    const query = `SELECT FROM ${schema}.${name} WHERE position($1 IN concat_ws(' ', ${columns.join(", ")})) > 0 LIMIT 1`;
    if ((await database.sql(query, [text])).length > 0) found.push(name);
  }
  return found;
}
