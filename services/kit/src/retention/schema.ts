// DDL of retention: the retention period of each kind of rows.

import { relayRole, runtimeRole } from "../db/schema.ts";

/**
 * `<schema>.retention` has a row for each kind with limited retention. `kept_since` is a UTC midnight that never moves
 * back: older rows are hidden, even before they are deleted.
 */
export function retentionSql(schema: string): string {
  const [runtime, relay] = [runtimeRole({ name: schema }), relayRole({ name: schema })];
  return `
    CREATE TABLE ${schema}.retention (
      kind text NOT NULL,
      days integer,
      began_before timestamptz(3) NOT NULL DEFAULT '-infinity',
      cleared_before timestamptz(3) NOT NULL DEFAULT '-infinity',
      leased_until timestamptz(3) NOT NULL DEFAULT '-infinity',
      deleted bigint NOT NULL DEFAULT 0,
      CONSTRAINT retention_pkey PRIMARY KEY (kind),
      CONSTRAINT retention_days_check CHECK (days > 0)
    );
    ALTER TABLE ${schema}.retention ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${schema}.retention FORCE ROW LEVEL SECURITY;
    CREATE POLICY everyone ON ${schema}.retention FOR SELECT USING (true);
    CREATE POLICY relay ON ${schema}.retention TO ${relay} USING (true);
    GRANT SELECT ON ${schema}.retention TO ${runtime};
    GRANT SELECT, INSERT, UPDATE ON ${schema}.retention TO ${relay};

    -- Runs as the owner, for views that other services read.
    CREATE FUNCTION ${schema}.kept_since(kind text) RETURNS timestamptz
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
      SELECT coalesce(max(greatest(r.began_before, date_trunc('day', now(), 'UTC') - make_interval(hours => 24 * r.days))), '-infinity')
      FROM ${schema}.retention r WHERE r.kind = kept_since.kind
    $$;
  `;
}
