// DDL of row counts: the number of rows by group and time interval, so that totals and deep pages read a few counts
// instead of rows. Triggers keep them exact within the writing transaction.

import { runtimeRole } from "./schema.ts";
import { type TenantColumn, tenantPolicy, tenantSetting } from "./tenant-policy.ts";

/** A table whose rows are counted. */
export interface CountedTable {
  readonly schema: string;
  readonly table: string;
  readonly tenant: TenantColumn;
  /** Time columns. Rows are counted by the intervals that contain these times. */
  readonly times: readonly string[];
  /** Text columns, not null and with few values, whose values are counted separately. */
  readonly groups: readonly string[];
}

/**
 * `<table>_count` and its triggers. An interval is `2 ^ bits` milliseconds long: about 4 minutes, 4.7 hours or 12 days,
 * each as long as 64 of the next shorter. `bucket` is its number since 1970.
 */
export function countsSql(counted: CountedTable): string {
  const { schema, table, tenant, groups } = counted;
  const counts = `${schema}.${table}_count`;
  return `
    CREATE TABLE ${counts} (
      ${tenant} ${tenantSetting(tenant).type} NOT NULL,
      ordered_by text NOT NULL,
      bits smallint NOT NULL,
      bucket bigint NOT NULL,
      ${groups.map((column) => `${column} text NOT NULL,`).join(" ")}
      slot smallint NOT NULL,
      rows bigint NOT NULL,
      CONSTRAINT ${table}_count_pkey PRIMARY KEY (${buildKey(counted).join(", ")})
    ) WITH (fillfactor = 70);
    ${tenantPolicy(counts, tenant)}
    GRANT SELECT, INSERT, UPDATE ON ${counts} TO ${runtimeRole({ name: schema })};
    ${countTriggersSql(counted)}
  `;
}

/** The triggers that update `<table>_count`, and their function. */
export function countTriggersSql(counted: CountedTable): string {
  const { schema, table, tenant } = counted;
  const { setting } = tenantSetting(tenant);
  const source = `${schema}.${table}`;
  const counts = `${source}_count`;
  const changes = Object.entries(listChanges(counted));
  const branches = changes.map(
    ([operation, rows]) => `IF TG_OP = '${operation}' THEN ${addSql(counted, rows, "free")}; END IF;`,
  );
  const triggers = changes.map(
    ([operation, rows]) => `
    CREATE TRIGGER count_${operation.toLowerCase()} AFTER ${operation} ON ${source}
      REFERENCING ${rows.map(([name, sign]) => `${sign > 0 ? "NEW" : "OLD"} TABLE AS ${name}`).join(" ")}
      FOR EACH STATEMENT EXECUTE FUNCTION ${counts}_keep();`,
  );
  return `
    -- Concurrent transactions update rows of different slots: they neither wait for each other nor deadlock.
    CREATE FUNCTION ${counts}_keep() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      free smallint := 0;
      tenant text := coalesce(current_setting('${setting}', true), '');
    BEGIN
      WHILE NOT pg_try_advisory_xact_lock(hashtext('${counts}'), hashtext(tenant || '/' || free)) LOOP
        free := free + 1;
      END LOOP;
      ${branches.join("\n      ")}
      RETURN NULL;
    END $$;
    ${triggers.join("")}
  `;
}

/** Moves a row's count when one of the table's times changes. */
export function countMovesSql(counted: CountedTable, column: string): string {
  const { schema, table, tenant, times, groups } = counted;
  const source = `${schema}.${table}`;
  const buildRow = (of: string) => [tenant, ...times, ...groups].map((name) => `${of}."${name}"`).join(", ");
  return `
    CREATE FUNCTION ${source}_count_move() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      free smallint := 0;
      tenant text := coalesce(current_setting('${tenantSetting(tenant).setting}', true), '');
    BEGIN
      WHILE NOT pg_try_advisory_xact_lock(hashtext('${source}_count'), hashtext(tenant || '/' || free)) LOOP
        free := free + 1;
      END LOOP;
      WITH inserted AS (SELECT ${buildRow("NEW")}), deleted AS (SELECT ${buildRow("OLD")})
      ${addSql(counted, [["inserted", 1] as const, ["deleted", -1] as const], "free")};
      RETURN NULL;
    END $$;
    CREATE TRIGGER count_move AFTER UPDATE OF "${column}" ON ${source}
      FOR EACH ROW WHEN (OLD."${column}" <> NEW."${column}") EXECUTE FUNCTION ${source}_count_move();`;
}

/** Operations that change counts: inserted and deleted rows, and rows that change their group. */
function listChanges({ groups }: CountedTable): Record<string, (readonly [name: string, sign: number])[]> {
  const [inserted, deleted] = [["inserted", 1] as const, ["deleted", -1] as const];
  return { INSERT: [inserted], ...(groups.length > 0 && { UPDATE: [inserted, deleted] }), DELETE: [deleted] };
}

function buildKey({ tenant, groups }: CountedTable): string[] {
  return [tenant, "ordered_by", "bits", "bucket", ...groups, "slot"];
}

/** SQL: adds `rows`, each multiplied by its sign, to the counts of the slot. */
function addSql(counted: CountedTable, rows: readonly (readonly [name: string, sign: number])[], slot: string): string {
  const { schema, table, tenant, times, groups } = counted;
  const columns = [tenant, ...times, ...groups].map((column) => `"${column}"`).join(", ");
  const changed = rows.map(([name, sign]) => `SELECT ${columns}, ${sign} AS change FROM ${name}`).join(" UNION ALL ");
  const instants = times
    .map((column) => `('${column}', (extract(epoch FROM r."${column}") * 1000)::bigint)`)
    .join(", ");
  const key = buildKey(counted).join(", ");
  return `
        INSERT INTO ${schema}.${table}_count AS stored (${key}, rows)
        SELECT r.${tenant}, t.ordered_by, b.bits, t.ms >> b.bits, ${groups.map((column) => `r.${column}, `).join("")}${slot}, sum(r.change)
        FROM (${changed}) r, LATERAL (VALUES ${instants}) t (ordered_by, ms), (VALUES (18), (24), (30)) b (bits)
        GROUP BY 1, 2, 3, 4${groups.map((_, index) => `, ${index + 5}`).join("")} HAVING sum(r.change) <> 0
        ON CONFLICT (${key}) DO UPDATE SET rows = stored.rows + excluded.rows`;
}
