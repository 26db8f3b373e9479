// Lists the tables to back up: all in the services' schemas, except `migration`, which migrations fill, and detached
// monthly partitions, which retention is about to drop. Partitions are read and written through their parent tables.

import { BackupError, type TableHead } from "./format.ts";

/** A pg client in a transaction. */
export interface Queryable {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

export interface FoundTable extends TableHead {
  readonly place: string;
  readonly isForced: boolean;
  /** True if the current role reads every row. */
  readonly isReadable: boolean;
}

const tablesText = `
  SELECT n.nspname::text AS schema, c.relname::text AS name, format('%I.%I', n.nspname, c.relname) AS place,
    c.relforcerowsecurity AS "isForced",
    has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AND (NOT row_security_active(c.oid) OR EXISTS (
      SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd IN ('r', '*')
        AND pg_get_expr(p.polqual, p.polrelid) = 'true' AND current_user::regrole::oid = ANY (p.polroles))) AS "isReadable",
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    ARRAY(SELECT to_char(to_date(right(p.relname, 7), 'YYYY_MM'), 'YYYY-MM-DD') FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
     WHERE i.inhparent = c.oid AND p.relname ~ ('^' || c.relname || '_[0-9]{4}_[0-9]{2}$') ORDER BY p.relname) AS months
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'migration' AND c.relname !~ '^detached_'
  ORDER BY array_position($1, n.nspname::text), c.relname`;

/** Selects foreign keys. Excludes deferred ones, because they are checked at commit and do not restrict the order. */
const referencesText = `
  SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to" FROM pg_constraint
  WHERE contype = 'f' AND NOT condeferred AND conrelid <> confrelid`;

/** Lists the tables, each after the tables that it references. */
export async function listTables(database: Queryable, schemas: readonly string[]): Promise<FoundTable[]> {
  const { rows: tables } = await database.query<FoundTable>(tablesText, [schemas]);
  const { rows: references } = await database.query<{ from: string; to: string }>(referencesText);
  const byPlace = new Map(tables.map((table) => [table.place, table]));
  const [sorted, open] = [new Set<FoundTable>(), new Set<FoundTable>()];
  const visit = (table: FoundTable) => {
    if (sorted.has(table)) return;
    if (open.has(table)) throw new BackupError(`Table ${table.place} has a circular reference.`);
    open.add(table);
    for (const { to } of references.filter(({ from }) => from === table.place)) {
      const target = byPlace.get(to);
      if (target !== undefined) visit(target);
    }
    sorted.add(table);
  };
  for (const table of tables) visit(table);
  return [...sorted];
}

/** Returns the column list of a COPY. */
export function columnList({ columns }: TableHead): string {
  return columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(", ");
}
