// DDL of tables that are partitioned by month: functions that add a month, hide it after its retention, and drop it.

import { ownerRole, relayRole, runtimeRole } from "./schema.ts";

export interface Months {
  readonly schema: string;
  /** Partitioned tables, by the kind of retention of their rows. */
  readonly parents: Readonly<Record<string, readonly string[]>>;
  /** By kind, tables whose expired rows are hidden until deletion. Other tables are only read through these. */
  readonly hidden: Readonly<Record<string, readonly string[]>>;
  /** Partitioned table whose rows are counted (`countsSql`), with its groups; `kind` is its kind of retention. */
  readonly counted?: { readonly kind: string; readonly table: string; readonly groups: readonly string[] };
  /** Columns for which no statistics are collected, by table: partitions do not inherit this setting. */
  readonly unanalyzed?: Readonly<Record<string, readonly string[]>>;
}

/** Functions that a service may call although it cannot change its schema; each is idempotent. */
export function monthsSql(months: Months): string {
  return [addMonthsSql, hideExpiredSql, detachExpiredSql, dropDetachedSql, detachEmptiedSql]
    .map((sql) => sql(months))
    .join("\n");
}

const buildArray = (names: readonly string[]) => `'{${names.join(",")}}'`;
const buildCase = (kind: string, byKind: Months["parents"]) =>
  `CASE ${kind} ${Object.entries(byKind)
    .map(([name, tables]) => `WHEN '${name}' THEN ${buildArray(tables)}`)
    .join(" ")} END::text[]`;

/**
 * Results may arrive for any month: the months of `days`, and the month after each, get their partitions. Readers and
 * writers do not wait: a table is created separately and then attached. The creator holds a lock until its transaction
 * ends; concurrent callers then find the table. Call it before the transaction locks any row.
 */
function addMonthsSql({ schema, parents, unanalyzed = {} }: Months): string {
  const statistics = Object.entries(unanalyzed).map(
    ([table, columns]) => `IF parent = '${table}' THEN
      EXECUTE format('ALTER TABLE ${schema}.%I ${columns.map((column) => `ALTER COLUMN ${column} SET STATISTICS 0`).join(", ")}', part);
    END IF;`,
  );
  return `
CREATE OR REPLACE FUNCTION ${schema}.add_months(days date[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  parent text;
  part text;
  month date;
BEGIN
  IF EXISTS (SELECT FROM unnest(days) day
      WHERE day IS NULL OR day NOT BETWEEN '2020-01-01' AND now() + interval '14 months') THEN
    RAISE EXCEPTION 'results are kept from 2020 until a year ahead' USING ERRCODE = 'datetime_field_overflow';
  END IF;
  FOR parent, month, part IN
    SELECT p.parent, m.month, p.parent || to_char(m.month, '_YYYY_MM')
    FROM (SELECT DISTINCT (date_trunc('month', day) + ahead * interval '1 month')::date AS month
          FROM unnest(days) day, generate_series(0, 1) ahead) m,
      unnest(${buildArray(Object.values(parents).flat())}::text[]) p (parent)
    ORDER BY m.month, p.parent
  LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = part AND relnamespace = '${schema}'::regnamespace);
    PERFORM pg_advisory_xact_lock(hashtextextended('${schema}.add_months', 0));
    -- Looked up in the table again: to_regclass may remember that there was none.
    CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = part AND relnamespace = '${schema}'::regnamespace);
    EXECUTE format('CREATE TABLE ${schema}.%I (LIKE ${schema}.%I INCLUDING ALL)', part, parent);
    EXECUTE format('ALTER TABLE ${schema}.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part);
    EXECUTE format('CREATE POLICY tenant ON ${schema}.%I
      USING (application_id = nullif(current_setting(''ems.application_id'', true), '''')::uuid)', part);
    ${statistics.join("\n    ")}
    EXECUTE format('ALTER TABLE ${schema}.%I ATTACH PARTITION ${schema}.%I FOR VALUES FROM (%L) TO (%L)',
      parent, part, month::timestamptz, (month + interval '1 month')::timestamptz);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION ${schema}.add_months FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${schema}.add_months TO ${runtimeRole({ name: schema })};`;
}

/**
 * Policies that hide expired rows. Installations without retention have none, since they add a look-up to each
 * statement and hide statistics from the planner. The subquery is evaluated once per statement, also for indexes and
 * partitions. The deleting process sees the rows that it deletes.
 */
function hideExpiredSql({ schema, hidden }: Months): string {
  const rows = Object.entries(hidden).flatMap(([kind, tables]) => tables.map((table) => `('${kind}', '${table}')`));
  return `
CREATE OR REPLACE FUNCTION ${schema}.hide_expired() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  hidden record;
BEGIN
  FOR hidden IN
    SELECT h.kind, h.place FROM (VALUES ${rows.join(", ")}) h (kind, place)
    JOIN ${schema}.retention r ON r.kind = h.kind AND r.days IS NOT NULL
    WHERE NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = format('${schema}.%I', h.place)::regclass AND p.polname = 'kept')
  LOOP
    EXECUTE format('CREATE POLICY kept ON ${schema}.%I AS RESTRICTIVE FOR SELECT TO ${runtimeRole({ name: schema })}, ${ownerRole}
      USING (created_at >= (SELECT CASE WHEN current_setting(''ems.retention'', true) = ''deletes'' THEN ''-infinity''
        ELSE ${schema}.kept_since(%L) END))', hidden.place, hidden.kind);
  END LOOP;
END $$;
${lentTo("hide_expired", schema)}`;
}

/**
 * Detaches one month per call. The lock on the parent is held for a moment; waiting for it is limited, since later
 * statements queue behind it.
 */
function detachExpiredSql({ schema, parents }: Months): string {
  return `
CREATE OR REPLACE FUNCTION ${schema}.detach_expired(expired text, before timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC' SET lock_timeout = '100ms' AS $$
DECLARE
  month record;
BEGIN
  SELECT p.relname AS parent, c.relname AS part INTO month
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
  WHERE p.relnamespace = '${schema}'::regnamespace AND c.relname ~ ('^' || p.relname || '_[0-9]{4}_[0-9]{2}$')
    AND p.relname = ANY (${buildCase("expired", parents)})
    AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= least(before, ${schema}.kept_since(expired))
  ORDER BY c.relname LIMIT 1;
  IF month IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('ALTER TABLE ${schema}.%I DETACH PARTITION ${schema}.%I', month.parent, month.part);
  EXECUTE format('ALTER TABLE ${schema}.%I NO FORCE ROW LEVEL SECURITY', month.part);
  EXECUTE format('ALTER TABLE ${schema}.%I RENAME TO %I', month.part, 'detached_' || month.part);
  RETURN true;
END $$;
${lentTo("detach_expired", schema)}`;
}

/**
 * Subtracts a month's dropped rows from the row counts: whole intervals are deleted. From the intervals at either end
 * of the month, the month's share is subtracted, in a slot that no trigger uses.
 */
function dropDetachedSql({ schema, parents, counted }: Months): string {
  const detached = Object.entries(parents)
    .map(([kind, tables]) => `WHEN '${kind}' THEN '^detached_(${tables.join("|")})_'`)
    .join(" ");
  return `
CREATE OR REPLACE FUNCTION ${schema}.drop_detached(expired text, OUT part text, OUT deleted bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  application uuid;
  first bigint;
  last bigint;
BEGIN
  SELECT c.relname INTO part FROM pg_class c
  WHERE c.relnamespace = '${schema}'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
    AND c.relname ~ CASE expired ${detached} END
  ORDER BY c.relname LIMIT 1;
  IF part IS NULL THEN
    RETURN;
  END IF;
  deleted := 0;${counted === undefined ? "" : uncountSql(schema, counted)}
  EXECUTE format('DROP TABLE ${schema}.%I', part);
END $$;
${lentTo("drop_detached", schema)}`;
}

function uncountSql(schema: string, { kind, table, groups }: NonNullable<Months["counted"]>): string {
  const key = ["application_id", "ordered_by", "bits", "bucket", ...groups, "slot"].join(", ");
  const columns = groups.map((column) => `r.${column}, `).join("");
  return `
  IF expired = '${kind}' THEN
    EXECUTE format('SELECT count(*) FROM ${schema}.%I', part) INTO deleted;
  END IF;
  IF part ~ '^detached_${table}_' THEN
    first := extract(epoch FROM to_date(right(part, 7), 'YYYY_MM')::timestamptz) * 1000;
    last := extract(epoch FROM to_date(right(part, 7), 'YYYY_MM')::timestamptz + interval '1 month') * 1000;
    FOR application IN EXECUTE format('SELECT DISTINCT application_id FROM ${schema}.%I', part) LOOP
      PERFORM set_config('ems.application_id', application::text, true);
      DELETE FROM ${schema}.${table}_count c WHERE c.application_id = application AND c.ordered_by = 'created_at'
        AND c.bucket << c.bits::integer >= first AND (c.bucket + 1) << c.bits::integer <= last;
      EXECUTE format('
        INSERT INTO ${schema}.${table}_count AS stored (${key}, rows)
        SELECT r.application_id, ''created_at'', b.bits, r.ms >> b.bits, ${columns}-1, -count(*)
        FROM (SELECT t.*, (extract(epoch FROM t.created_at) * 1000)::bigint AS ms FROM ${schema}.%I t) r,
          (VALUES (18), (24), (30)) b (bits)
        WHERE r.application_id = $1 AND NOT ((r.ms >> b.bits) << b.bits >= $2 AND ((r.ms >> b.bits) + 1) << b.bits <= $3)
        GROUP BY 1, 2, 3, 4${groups.map((_, index) => `, ${index + 5}`).join("")}
        ON CONFLICT (${key}) DO UPDATE SET rows = stored.rows + excluded.rows',
        part) USING application, first, last;
    END LOOP;
    PERFORM set_config('ems.application_id', '', true);
  END IF;`;
}

/**
 * Detaches months whose rows are all in the archive, one per call, like detach_expired. Row-level security also hides
 * rows from the owner until the partition is detached; by then it has no writers. Statistics select the month, so that
 * no other partition is locked.
 */
function detachEmptiedSql({ schema, parents }: Months): string {
  return `
CREATE OR REPLACE FUNCTION ${schema}.detach_emptied(emptied text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC' SET lock_timeout = '100ms' AS $$
DECLARE
  month record;
  is_used boolean;
BEGIN
  FOR month IN
    SELECT p.relname AS parent, c.relname AS part
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    WHERE p.relnamespace = '${schema}'::regnamespace AND c.relname ~ ('^' || p.relname || '_[0-9]{4}_[0-9]{2}$')
      AND p.relname = ANY (${buildCase("emptied", parents)})
      AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '2 months' <= now()
      AND pg_stat_get_live_tuples(c.oid) = 0 AND pg_stat_get_dead_tuples(c.oid) = 0
    ORDER BY c.relname
  LOOP
    EXECUTE format('ALTER TABLE ${schema}.%I NO FORCE ROW LEVEL SECURITY', month.part);
    EXECUTE format('SELECT EXISTS (SELECT FROM ${schema}.%I)', month.part) INTO is_used;
    IF is_used THEN
      EXECUTE format('ALTER TABLE ${schema}.%I FORCE ROW LEVEL SECURITY', month.part);
    ELSE
      EXECUTE format('ALTER TABLE ${schema}.%I DETACH PARTITION ${schema}.%I', month.parent, month.part);
      EXECUTE format('ALTER TABLE ${schema}.%I RENAME TO %I', month.part, 'detached_' || month.part);
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;
${lentTo("detach_emptied", schema)}`;
}

function lentTo(name: string, schema: string): string {
  return `REVOKE ALL ON FUNCTION ${schema}.${name} FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${schema}.${name} TO ${relayRole({ name: schema })};`;
}
