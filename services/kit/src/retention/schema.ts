// DDL of retention: what a service keeps for how long, and since when. Run by migrations: never edit.

import { relayRole, runtimeRole } from "../db/schema.ts";

/**
 * `<schema>.retention` has a row a kind that is not kept for ever. `kept_since` is the border, a midnight of UTC that never goes back:
 * what is older is not shown, whether it was deleted or not.
 */
export function createRetentionV1(schema: string): string {
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

    -- The owner's, for views that others read.
    CREATE FUNCTION ${schema}.kept_since(kind text) RETURNS timestamptz
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
      SELECT coalesce(max(greatest(r.began_before, date_trunc('day', now(), 'UTC') - make_interval(hours => 24 * r.days))), '-infinity')
      FROM ${schema}.retention r WHERE r.kind = kept_since.kind
    $$;
  `;
}

/** Undoes `createRetentionV1`. */
export function dropRetentionV1(schema: string): string {
  return `
    DROP FUNCTION ${schema}.kept_since(text);
    DROP TABLE ${schema}.retention;`;
}

/**
 * The audit log's retention, in place of what its trigger deleted by the way. Only the function deletes entries, and none that is
 * younger than 30 days.
 */
export function retainAuditV1(schema: string): string {
  const relay = relayRole({ name: schema });
  return `
    CREATE POLICY relay ON ${schema}.audit FOR SELECT TO ${relay} USING (true);
    GRANT SELECT (application_id, created_at) ON ${schema}.audit TO ${relay};

    CREATE FUNCTION ${schema}.forget_audit(application uuid, before timestamptz, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      deleted bigint;
    BEGIN
      IF before > now() - interval '30 days' THEN
        RAISE EXCEPTION 'entries of the audit log are kept for 30 days at least' USING ERRCODE = 'invalid_parameter_value';
      END IF;
      PERFORM set_config('ems.application_id', application::text, true);
      DELETE FROM ${schema}.audit WHERE application_id = application AND id IN (
        SELECT a.id FROM ${schema}.audit a WHERE a.application_id = application AND a.created_at < before
        ORDER BY a.created_at LIMIT most);
      GET DIAGNOSTICS deleted = ROW_COUNT;
      PERFORM set_config('ems.application_id', '', true);
      RETURN deleted;
    END $$;
    REVOKE ALL ON FUNCTION ${schema}.forget_audit FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION ${schema}.forget_audit TO ${relay};

    CREATE OR REPLACE VIEW reporting.${schema}_audit_v1 AS
      SELECT application_id, org_id, id, created_at, resource, entity_id, action, operation, key_id, caller, user_id, request_id, changes
      FROM ${schema}.audit WHERE created_at >= (SELECT ${schema}.kept_since('audit'));
  `;
}

/** Undoes `retainAuditV1`. */
export function unretainAuditV1(schema: string): string {
  return `
    CREATE OR REPLACE VIEW reporting.${schema}_audit_v1 AS
      SELECT application_id, org_id, id, created_at, resource, entity_id, action, operation, key_id, caller, user_id, request_id, changes
      FROM ${schema}.audit;
    DROP FUNCTION ${schema}.forget_audit(uuid, timestamptz, integer);
    REVOKE SELECT (application_id, created_at) ON ${schema}.audit FROM ${relayRole({ name: schema })};
    DROP POLICY relay ON ${schema}.audit;
  `;
}
