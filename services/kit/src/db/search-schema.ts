// DDL of text search. Under a policy only leakproof operators can use an index, and no text operator is leakproof. So
// searched texts are in a table with a trigram index, which a SECURITY DEFINER function reads for the transaction's
// tenant.

import { ownerRole, runtimeRole } from "./schema.ts";
import { type TenantColumn, tenantPolicy, tenantSetting } from "./tenant-policy.ts";

/** A table whose rows are searched by text. */
export interface SearchedTable {
  readonly schema: string;
  readonly table: string;
  /** Tenant column; the primary key is `(tenant, id)`. */
  readonly tenant: TenantColumn;
  readonly idType: "uuid" | "text";
  /** Searched columns. */
  readonly columns: readonly string[];
}

/** Separates trigrams; in texts, this character counts as a space. */
const separator = "chr(1)";

/** Prefix of a tenant's trigrams. Two tenants with the same prefix only scan more rows. */
const digest = "left(encode(sha256(convert_to(tenant, 'UTF8')), 'hex'), 6)";

/**
 * Functions that all searches share. Every third trigram is indexed, so a search text has three alignments and at least
 * four characters. A text with more than a megabyte of trigrams is indexed by the tenant's digest alone: every search
 * of the tenant compares the text.
 */
export function searchFunctionsSql(schema: string): string {
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

    -- At most six trigrams for each of the three alignments: the rows that match are compared with the whole text anyway.
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
  `;
}

/**
 * The searched texts of a table, written by a trigger, their index, and `find_<table>`: the ids of the tenant's rows
 * that contain a text. The tenant comes from the transaction's setting, never from an argument.
 */
export function searchTableSql(searched: SearchedTable): string {
  const { schema, table, tenant, idType, columns } = searched;
  const { type, setting } = tenantSetting(tenant);
  const source = `${schema}.${table}`;
  const texts = `${source}_search`;
  const tokens = `${schema}.search_tokens(${tenant}::text, ${columns.join(" || ' ' || ")})`;
  const contains = columns.map((column) => `strpos(s.${column}, folded) > 0`).join(" OR ");
  const buildTuple = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(", ")})`;
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
    ${tenantPolicy(texts, tenant)}
    CREATE POLICY search ON ${texts} FOR SELECT TO ${ownerRole} USING (true);
    GRANT SELECT, INSERT, UPDATE ON ${texts} TO ${role};

    CREATE FUNCTION ${texts}_keep() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      INSERT INTO ${texts} AS s (${tenant}, id, ${columns.join(", ")})
      VALUES (NEW.${tenant}, NEW.id, ${toLowerCase("NEW", columns)})
      ON CONFLICT (${tenant}, id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
      WHERE ${buildTuple("s")} IS DISTINCT FROM ${buildTuple("excluded")};
      RETURN NULL;
    END $$;
    CREATE TRIGGER search AFTER INSERT OR UPDATE OF ${columns.join(", ")} ON ${source}
      FOR EACH ROW EXECUTE FUNCTION ${texts}_keep();

    -- Texts that are too short for the index scan the tenant's rows. OFFSET 0 leaves the index as the only access to
    -- the others: a plan that computes the trigrams of rows, or a lossy bitmap, would cost a hundred times as much.
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
  `;
}

/** The columns in lower case, for searching. */
function toLowerCase(row: string, columns: readonly string[]): string {
  return columns.map((column) => `lower(coalesce(${row}.${column}, ''))`).join(", ");
}
