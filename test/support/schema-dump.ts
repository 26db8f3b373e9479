// A schema of PostgreSQL as text, for reviews and comparisons in tests; without
// the backup role's permissions, which are on everything.

import type { TestDatabase } from "./database.ts";

type Sql = TestDatabase["sql"];

/** Tables without partitions (created on demand), views, and functions. */
const relations = `
  SELECT c.oid::int AS oid, c.relname AS name, c.relkind AS kind, c.relacl IS NULL AS "hasDefaultRights",
    concat_ws(', ', CASE WHEN c.relrowsecurity THEN 'row security' END, CASE WHEN c.relforcerowsecurity THEN 'forced' END,
      'partition by ' || pg_get_partkeydef(c.oid), array_to_string(c.reloptions, ', ')) AS options,
    CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid, true) END AS definition
  FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition
  ORDER BY c.relname`;

/** Lines of a relation: columns in order, then everything else sorted. */
const parts = `
  SELECT line FROM (
    SELECT 1 AS place, a.attnum::int AS number, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN 'NOT NULL' END,
      CASE WHEN a.attgenerated <> '' THEN 'GENERATED' WHEN d.oid IS NOT NULL THEN 'DEFAULT' END, pg_get_expr(d.adbin, d.adrelid)) AS line
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT 2, 0, format('CONSTRAINT %s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE conrelid = $1 AND contype <> 'n'
    UNION ALL
    SELECT 3, 0, pg_get_indexdef(i.indexrelid) FROM pg_index i
    WHERE i.indrelid = $1 AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND conrelid = $1)
    UNION ALL
    SELECT 4, 0, concat_ws(' ', 'POLICY', polname, CASE WHEN NOT polpermissive THEN 'RESTRICTIVE' END,
      'FOR', CASE polcmd WHEN '*' THEN 'ALL' WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' ELSE 'DELETE' END,
      'TO', (SELECT string_agg(CASE role WHEN 0 THEN 'PUBLIC' ELSE role::regrole::text END, ', ' ORDER BY role::regrole::text)
             FROM unnest(polroles) role),
      'USING ' || pg_get_expr(polqual, polrelid), 'WITH CHECK ' || pg_get_expr(polwithcheck, polrelid))
    FROM pg_policy WHERE polrelid = $1 AND polname <> 'backup'
    UNION ALL
    SELECT 5, 0, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = $1 AND NOT tgisinternal
    UNION ALL
    SELECT 6, 0, format('GRANT %s TO %s', string_agg(privilege_type, ', ' ORDER BY privilege_type), grantee::regrole)
    FROM pg_class c, aclexplode(c.relacl)
    WHERE c.oid = $1 AND grantee <> c.relowner AND grantee <> 'ems_backup'::regrole GROUP BY grantee
    UNION ALL
    SELECT 7, 0, format('GRANT %s (%s) TO %s', privilege_type, string_agg(a.attname, ', ' ORDER BY a.attname), grantee::regrole)
    FROM pg_attribute a, aclexplode(a.attacl) WHERE a.attrelid = $1 GROUP BY privilege_type, grantee
  ) parts ORDER BY place, number, line COLLATE "C"`;

const functions = `
  SELECT pg_get_functiondef(p.oid) AS definition,
    CASE WHEN p.proacl IS NULL THEN 'PUBLIC' ELSE coalesce((SELECT string_agg(
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, ', ' ORDER BY grantee::regrole::text)
      FROM aclexplode(p.proacl) WHERE grantee <> p.proowner), 'nobody else') END AS grantees
  FROM pg_proc p WHERE p.pronamespace = $1::regnamespace ORDER BY p.proname`;

const schemaGrants = `
  SELECT format('GRANT %s ON SCHEMA TO %s', string_agg(privilege_type, ', ' ORDER BY privilege_type), grantee::regrole) AS line
  FROM pg_namespace n, aclexplode(n.nspacl) WHERE n.nspname = $1 AND grantee <> n.nspowner AND grantee <> 'ems_backup'::regrole GROUP BY grantee
  ORDER BY 1`;

const kinds: Readonly<Record<string, string>> = { r: "TABLE", p: "TABLE", v: "VIEW", m: "MATERIALIZED VIEW" };

export async function schemaDump(sql: Sql, schema: string): Promise<string> {
  const grants = await sql<{ line: string }>(schemaGrants, [schema]);
  const blocks = [[`SCHEMA ${schema}`, ...grants.map(({ line }) => `  ${line}`)].join("\n")];
  const found = await sql<{ oid: number; name: string; kind: string; options: string; definition: string | null }>(
    relations,
    [schema],
  );
  for (const { oid, name, kind, options, definition } of found) {
    const lines = await sql<{ line: string }>(parts, [oid]);
    const head = `${kinds[kind]} ${schema}.${name}${options === "" ? "" : ` (${options})`}`;
    blocks.push(
      [head, ...lines.map(({ line }) => `  ${line}`), ...(definition === null ? [] : [definition])].join("\n"),
    );
  }
  for (const { definition, grantees } of await sql<{ definition: string; grantees: string }>(functions, [schema])) {
    blocks.push(`${definition.trimEnd()}\n  EXECUTE BY ${grantees}`);
  }
  return `${blocks.join("\n\n")}\n`;
}
