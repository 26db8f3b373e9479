// Effects of each migration on existing tables, read from PostgreSQL's locks within the transaction.

import { ownerDataSource } from "@ems/kit/db/data-source";
import type { Schema } from "@ems/kit/db/schema";
import { migrationName } from "@ems/kit/db/schema";

export interface MigrationEffects {
  readonly schema: string;
  readonly name: string;
  /** Tables whose users wait until it commits: `readers` all of them, `writers` only writes. */
  readonly locks: readonly { readonly table: string; readonly wait: "readers" | "writers" }[];
  /** Tables of which it reads, writes or copies every row, so that its time grows with them. */
  readonly passes: readonly string[];
  /** Removed columns, tables and views. */
  readonly removed: readonly string[];
  /** Columns that require a value from then on, and have no default. */
  readonly demanded: readonly string[];
  /** Tables that existed before it. */
  readonly tables: readonly string[];
}

/** Runs every migration as the owner in an empty, prepared database and returns its effects. */
export async function migrationEffects(ownerUrl: string, schemas: readonly Schema[]): Promise<MigrationEffects[]> {
  const found: MigrationEffects[] = [];
  for (const schema of schemas) {
    const dataSource = ownerDataSource(ownerUrl, schema);
    await dataSource.initialize();
    const runner = dataSource.createQueryRunner();
    try {
      await runner.query(
        `CREATE TABLE ${schema.name}.migration (id serial PRIMARY KEY, timestamp bigint, name varchar)`,
      );
      for (const migration of schema.migrations) {
        await runner.startTransaction();
        const before = await relations(runner, schemas);
        await new migration().up(runner);
        const after = await relations(runner, schemas);
        const locks = await readLocks(runner, [...before.keys()]);
        await runner.commitTransaction();
        found.push({ schema: schema.name, name: migrationName(migration), locks, ...compared(before, after) });
      }
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
  }
  return found;
}

type QueryRunner = ReturnType<ReturnType<typeof ownerDataSource>["createQueryRunner"]>;

interface Relation {
  readonly oid: number;
  readonly name: string;
  readonly file: number;
  readonly scans: number;
  readonly columns: readonly string[];
  /** Without a default, and not null. */
  readonly required: readonly string[];
}

async function relations(runner: QueryRunner, schemas: readonly Schema[]): Promise<Map<number, Relation>> {
  const rows: Relation[] = await runner.query(
    `SELECT c.oid::int AS oid, c.oid::regclass::text AS name, c.relfilenode::int AS file,
       pg_stat_get_xact_numscans(c.oid)::int AS scans,
       array(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
       array(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
         AND attnotnull AND NOT atthasdef AND attidentity = '') AS required
     FROM pg_class c WHERE c.relnamespace::regnamespace::text = ANY ($1) AND c.relkind IN ('r', 'p', 'v') AND c.relname <> 'migration'`,
    [schemas.map(({ name }) => name)],
  );
  return new Map(rows.map((row) => [row.oid, row]));
}

async function readLocks(runner: QueryRunner, oids: readonly number[]): Promise<MigrationEffects["locks"]> {
  const rows: { table: string; isWhole: boolean }[] = await runner.query(
    `SELECT c.oid::regclass::text AS table, bool_or(l.mode = 'AccessExclusiveLock') AS "isWhole"
     FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
     WHERE l.pid = pg_backend_pid() AND l.granted AND c.relkind IN ('r', 'p') AND c.oid::int = ANY ($1)
       AND l.mode IN ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')
     GROUP BY 1 ORDER BY 1`,
    [oids],
  );
  return rows.map(({ table, isWhole }) => ({ table, wait: isWhole ? "readers" : "writers" }));
}

function compared(before: ReadonlyMap<number, Relation>, after: ReadonlyMap<number, Relation>) {
  const olds = [...before.values()];
  const changed = olds.flatMap((old) => {
    const now = after.get(old.oid);
    return now === undefined ? [] : [{ old, now }];
  });
  // A view that is recreated under its name is not removed.
  const names = new Map([...after.values()].map((each) => [each.name, each]));
  const gone = olds.filter(({ oid, name }) => !after.has(oid) && !names.has(name)).map(({ name }) => name);
  const columns = olds.flatMap((old) => {
    const now = after.get(old.oid) ?? names.get(old.name);
    const missing = now === undefined ? [] : old.columns.filter((column) => !now.columns.includes(column));
    return missing.map((column) => `${old.name}.${column}`);
  });
  const passes = changed.filter(({ old, now }) => now.scans > old.scans || now.file !== old.file);
  const demanded = changed.flatMap(({ old, now }) =>
    now.required.filter((column) => !old.required.includes(column)).map((column) => `${old.name}.${column}`),
  );
  return {
    passes: passes.map(({ old }) => old.name).sort(),
    removed: [...gone, ...columns].sort(),
    demanded: demanded.sort(),
    tables: olds.map(({ name }) => name),
  };
}
