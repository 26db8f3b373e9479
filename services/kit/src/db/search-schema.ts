// Search under row-level security, as migrations make it. Only leakproof operators become index conditions under a policy, and
// none that searches texts is leakproof. So searched texts stand, in lower case, in a table of their own with an index of
// trigrams, which a function of the owner's reads for the one tenant that the transaction names.

import type { QueryRunner } from "typeorm";
import type { Schema } from "./schema.ts";
import { ownerRole, runtimeRole } from "./schema.ts";

/** A table whose rows are searched by text. */
export interface Searched {
  readonly schema: string;
  readonly table: string;
  /** The tenant column, with which the primary key `(tenant, id)` leads. */
  readonly tenant: keyof typeof tenants;
  readonly idType: "uuid" | "text";
  /** In which columns a text is looked for. */
  readonly columns: readonly string[];
}

const tenants = {
  application_id: { type: "uuid", setting: "ems.application_id" },
  org_id: { type: "text", setting: "ems.org_id" },
} as const;

/** Between trigrams; for the index it is a space wherever it stands in a text. */
const separator = "chr(1)";

/** Of a tenant: long enough that two seldom share one, and then each only looks at more rows. */
const digest = "left(encode(sha256(convert_to(tenant, 'UTF8')), 'hex'), 6)";

/**
 * What searches of a schema share. Indexed are the trigrams at every third character, which costs a writer a third; a text that is
 * looked for may lie across them in three ways, and takes four characters. A tenant's digest in each keeps lists apart. A text with
 * more than a megabyte of trigrams has the digest alone: it is compared in every search.
 */
export function searchFunctionsV1(schema: string): string {
  return `
    CREATE FUNCTION ${schema}.search_tokens(tenant text, body text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT COST 10000 SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      own text := ${digest};
      padded text := replace(body, ${separator}, ' ') || '  ';
      grams text := regexp_replace(left(padded, length(padded) / 3 * 3), '(...)', ${separator} || own || '\\1', 'g');
    BEGIN
      IF octet_length(grams) < 1000000 THEN
        RETURN array_to_tsvector(string_to_array(substr(grams, 2), ${separator}));
      END IF;
      BEGIN
        RETURN array_to_tsvector(string_to_array(substr(grams, 2), ${separator}));
      EXCEPTION WHEN program_limit_exceeded THEN
        RETURN array_to_tsvector(ARRAY[own]);
      END;
    END $$;

    -- At most six trigrams for each of the three ways: what they let through is compared with the whole text anyway.
    CREATE FUNCTION ${schema}.search_query(tenant text, needle text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
      SELECT (string_agg('(' || grams || ')', ' | ') || ' | ''' || ${digest} || '''')::tsquery
      FROM (
        SELECT string_agg(
          '''' || ${digest} || replace(replace(gram, '\\', '\\\\'), '''', '''''') || ''''
            || CASE WHEN length(gram) < 3 THEN ':*' ELSE '' END, ' & ') AS grams
        FROM generate_series(0, 2) shift,
          LATERAL (SELECT greatest((length(needle) - shift) / 3, 1) AS number) whole,
          LATERAL generate_series(0, number - 1, (number + 5) / 6) place,
          LATERAL substr(replace(needle, ${separator}, ' '), 1 + shift + 3 * place, 3) gram
        WHERE length(needle) >= 4
        GROUP BY shift
      ) ways
    $$;

    -- Whose rows are there to be filled in by fillSearchV1, a migration later; it drops this.
    CREATE TABLE ${schema}.search_backfill (tenant text PRIMARY KEY);
  `;
}

/**
 * The searched texts of a table, kept by a trigger; their index; and \`find_<table>\`, which answers the ids of the tenant's rows
 * that contain a text. Whose they are is the transaction's setting, as in every policy, and never an argument.
 */
export function searchedV1(searched: Searched): string {
  const { schema, table, tenant, idType, columns } = searched;
  const { type, setting } = tenants[tenant];
  const source = `${schema}.${table}`;
  const texts = `${source}_search`;
  const tokens = `${schema}.search_tokens(${tenant}::text, ${columns.join(" || ' ' || ")})`;
  const contains = columns.map((column) => `strpos(s.${column}, folded) > 0`).join(" OR ");
  const tupleOf = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(", ")})`;
  const role = runtimeRole({ name: schema });
  return `
    CREATE TABLE ${texts} (
      ${tenant} ${type} NOT NULL,
      id ${idType} NOT NULL,
      ${columns.map((column) => `${column} text NOT NULL`).join(", ")},
      CONSTRAINT ${table}_search_pkey PRIMARY KEY (${tenant}, id),
      CONSTRAINT ${table}_search_fkey FOREIGN KEY (${tenant}, id) REFERENCES ${source} (${tenant}, id) ON DELETE CASCADE
    );
    CREATE INDEX ${table}_search_tokens ON ${texts} USING gin ((${tokens}));
    ALTER TABLE ${texts} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${texts} FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON ${texts} USING (${tenant} = nullif(current_setting('${setting}', true), '')::${type});
    CREATE POLICY search ON ${texts} FOR SELECT TO ${ownerRole} USING (true);
    GRANT SELECT, INSERT, UPDATE ON ${texts} TO ${role};

    CREATE FUNCTION ${texts}_keep() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      INSERT INTO ${texts} AS s (${tenant}, id, ${columns.join(", ")})
      VALUES (NEW.${tenant}, NEW.id, ${foldedOf("NEW", columns)})
      ON CONFLICT (${tenant}, id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
      WHERE ${tupleOf("s")} IS DISTINCT FROM ${tupleOf("excluded")};
      RETURN NULL;
    END $$;
    CREATE TRIGGER search AFTER INSERT OR UPDATE OF ${columns.join(", ")} ON ${source}
      FOR EACH ROW EXECUTE FUNCTION ${texts}_keep();

    -- Shorter texts than the index serves are looked for in all of the tenant's. OFFSET 0 leaves the index as the only way to
    -- the rest: a plan that computed the trigrams of rows would be a hundred times as dear. So would a bitmap that is lossy.
    CREATE FUNCTION ${schema}.find_${table}(needle text) RETURNS SETOF ${idType}
    LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off SET jit = off SET max_parallel_workers_per_gather = 0 SET work_mem = '32MB' AS $$
    DECLARE
      tenant ${type} := nullif(current_setting('${setting}', true), '')::${type};
      folded text := lower(needle);
      wanted tsquery := ${schema}.search_query(tenant::text, folded);
    BEGIN
      IF wanted IS NULL THEN
        RETURN QUERY SELECT s.id FROM ${texts} s WHERE s.${tenant} = tenant AND (${contains});
      ELSE
        RETURN QUERY SELECT s.id FROM (SELECT * FROM ${texts} WHERE ${tokens} @@ wanted OFFSET 0) s
          WHERE s.${tenant} = tenant AND (${contains});
      END IF;
    END $$;
    REVOKE ALL ON FUNCTION ${schema}.find_${table}(text) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION ${schema}.find_${table}(text) TO ${role};

    -- Row-level security binds the owner too, who must know for once whose rows there are. Nobody else gets at the table
    -- before this has been committed.
    ALTER TABLE ${source} NO FORCE ROW LEVEL SECURITY;
    INSERT INTO ${schema}.search_backfill
    WITH RECURSIVE each AS (
      (SELECT ${tenant} AS tenant FROM ${source} ORDER BY 1 LIMIT 1)
      UNION ALL
      SELECT (SELECT ${tenant} FROM ${source} WHERE ${tenant} > each.tenant ORDER BY 1 LIMIT 1)
      FROM each WHERE each.tenant IS NOT NULL
    )
    SELECT tenant FROM each WHERE tenant IS NOT NULL ON CONFLICT DO NOTHING;
    ALTER TABLE ${source} FORCE ROW LEVEL SECURITY;
  `;
}

/** Undoes `searchedV1`. */
export function unsearchedV1({ schema, table }: Searched): string {
  return `
    DROP FUNCTION ${schema}.find_${table}(text);
    DROP TRIGGER search ON ${schema}.${table};
    DROP FUNCTION ${schema}.${table}_search_keep();
    DROP TABLE ${schema}.${table}_search;
  `;
}

/** Undoes `searchFunctionsV1`. */
export function unsearchFunctionsV1(schema: string): string {
  return `
    DROP TABLE IF EXISTS ${schema}.search_backfill;
    DROP FUNCTION ${schema}.search_query(text, text);
    DROP FUNCTION ${schema}.search_tokens(text, text);
  `;
}

/** Undoes `fillSearchV1`: what was filled in may stay. */
export function unfillSearchV1(schema: string): string {
  return `CREATE TABLE ${schema}.search_backfill (tenant text PRIMARY KEY)`;
}

/** How many rows are filled in at once: whoever changes one of them meanwhile waits for as long. */
const batch = 1000;

/**
 * Fills in the texts of rows that were there before the trigger. Each batch is a statement of its own: run it in a migration without
 * a transaction, and again when it was interrupted.
 */
export async function fillSearchV1(
  runner: QueryRunner,
  schema: Schema["name"],
  tables: readonly Searched[],
): Promise<void> {
  const backfill: { tenant: string }[] = await runner.query(`SELECT tenant FROM ${schema}.search_backfill`);
  for (const { tenant } of backfill) for (const searched of tables) await fillOne(runner, searched, tenant);
  await runner.query(`DROP TABLE ${schema}.search_backfill`);
}

async function fillOne(runner: QueryRunner, searched: Searched, tenant: string): Promise<void> {
  const { schema, table, tenant: column, columns } = searched;
  const { type, setting } = tenants[column];
  const text = `
    WITH batch AS (
      SELECT * FROM ${schema}.${table} WHERE ${column} = $1::${type} AND ($2::text IS NULL OR id > $2::${searched.idType})
      ORDER BY id LIMIT ${batch} FOR KEY SHARE
    ), filled AS (
      INSERT INTO ${schema}.${table}_search (${column}, id, ${columns.join(", ")})
      SELECT ${column}, id, ${foldedOf("batch", columns)} FROM batch ON CONFLICT DO NOTHING
    )
    SELECT id FROM batch ORDER BY id DESC LIMIT 1`;
  await runner.query("SELECT set_config($1, $2, false)", [setting, tenant]);
  let last: string | null = null;
  do {
    const rows: { id: string }[] = await runner.query(text, [tenant, last]);
    last = rows[0]?.id ?? null;
  } while (last !== null);
  await runner.query("SELECT set_config($1, '', false)", [setting]);
}

/** As the columns are kept: in lower case, which is what ILIKE compares. */
function foldedOf(row: string, columns: readonly string[]): string {
  return columns.map((column) => `lower(coalesce(${row}.${column}, ''))`).join(", ");
}
