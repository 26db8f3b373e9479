// DDL of the audit log: the actor and the values before and after each change. Triggers write it in the transaction of
// the change, whatever statement made it. A transaction without an actor (ingestion, judges, relays) leaves no entry
// and costs only a condition.

import { relayRole } from "./schema.ts";
import { tenantPolicy } from "./tenant-policy.ts";

/** A table whose changes are logged. */
export interface AuditedTable {
  readonly table: string;
  /** Resource name in entries; by default the table's name. */
  readonly resource?: string;
  /** Column with the resource's id; by default `id`. */
  readonly id?: string;
  /** Columns whose values the log omits: it only records that they changed. */
  readonly secrets?: readonly string[];
  /** Logged events; by default all. */
  readonly events?: readonly AuditedEvent[];
}

type AuditedEvent = keyof typeof transitions;

const transitions = { INSERT: "NEW TABLE AS inserted", DELETE: "OLD TABLE AS deleted", UPDATE: undefined } as const;

/** Columns that are not logged: the owner of a row, and its last change. */
const ignored = ["application_id", "org_id", "modified_at"];

/** Maximum length of a logged value. A longer value is logged as its size and digest. */
const valueLengthMax = 2_000;

/**
 * `<schema>.audit`, the trigger function that fills it, its retention (only `forget_audit` deletes entries, and none
 * younger than 30 days), and the view that reporting reads.
 */
export function auditSql(schema: string): string {
  const relay = relayRole({ name: schema });
  return `
    CREATE TABLE ${schema}.audit (
      application_id uuid NOT NULL,
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      org_id text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      resource text NOT NULL,
      entity_id text NOT NULL,
      action text NOT NULL,
      operation text NOT NULL,
      key_id text,
      caller text,
      user_id text NOT NULL,
      request_id text NOT NULL,
      changes jsonb NOT NULL,
      CONSTRAINT audit_pkey PRIMARY KEY (application_id, id)
    );
    CREATE INDEX audit_created ON ${schema}.audit (application_id, created_at, id);
    CREATE INDEX audit_entity ON ${schema}.audit (application_id, entity_id, created_at);
    ${tenantPolicy(`${schema}.audit`)}
    CREATE POLICY relay ON ${schema}.audit FOR SELECT TO ${relay} USING (true);
    GRANT SELECT (application_id, created_at) ON ${schema}.audit TO ${relay};

    CREATE FUNCTION ${schema}.audit_value(value jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
      SELECT CASE WHEN length(value::text) <= ${valueLengthMax} THEN value ELSE jsonb_build_object(
        'bytes', octet_length(value::text), 'sha256', encode(sha256(convert_to(value::text, 'UTF8')), 'hex')) END
    $$;

    -- Fields that differ; for a new row, those that are not null.
    CREATE FUNCTION ${schema}.audit_changes(before jsonb, after jsonb, secrets text[]) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
      SELECT coalesce(jsonb_object_agg(field, CASE WHEN field = ANY (secrets) THEN '{"secret": true}'::jsonb
          ELSE CASE WHEN before IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('before', ${schema}.audit_value(b.value)) END
            || CASE WHEN after IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('after', ${schema}.audit_value(a.value)) END
          END), '{}')
      FROM jsonb_each(coalesce(before, '{}')) b (field, value) FULL JOIN jsonb_each(coalesce(after, '{}')) a (field, value) USING (field)
      WHERE nullif(b.value, 'null') IS DISTINCT FROM nullif(a.value, 'null')
        AND field <> ALL (ARRAY[${ignored.map((column) => `'${column}'`).join(", ")}])
    $$;

    -- Runs as the owner: the service's role can neither change nor delete entries.
    CREATE FUNCTION ${schema}.audit_keep() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      application uuid := current_setting('ems.application_id')::uuid;
      actor jsonb := current_setting('ems.actor')::jsonb;
      logged text := CASE TG_OP WHEN 'INSERT' THEN 'CREATED' WHEN 'DELETE' THEN 'DELETED' ELSE 'UPDATED' END;
      rows jsonb[];
    BEGIN
      IF TG_OP = 'INSERT' THEN
        SELECT array_agg(jsonb_build_object('after', to_jsonb(r))) INTO rows FROM inserted r;
      ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(jsonb_build_object('before', to_jsonb(r))) INTO rows FROM deleted r;
      ELSE
        rows := ARRAY[jsonb_build_object('before', to_jsonb(OLD), 'after', to_jsonb(NEW))];
      END IF;
      INSERT INTO ${schema}.audit
        (application_id, org_id, resource, entity_id, action, operation, key_id, caller, user_id, request_id, changes)
      SELECT application, current_setting('ems.org_id'), TG_ARGV[0], coalesce(change->'after', change->'before')->>TG_ARGV[1], logged,
        actor->>'operation', actor->>'keyId', actor->>'caller', actor->>'userId', actor->>'requestId', found.changes
      FROM unnest(rows) change,
        LATERAL (SELECT ${schema}.audit_changes(change->'before', change->'after', string_to_array(TG_ARGV[2], ',')) AS changes) found
      WHERE found.changes <> '{}';
      RETURN NULL;
    END $$;
    REVOKE ALL ON FUNCTION ${schema}.audit_keep() FROM PUBLIC;

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

    CREATE VIEW reporting.${schema}_audit_v1 AS
      SELECT application_id, org_id, id, created_at, resource, entity_id, action, operation, key_id, caller, user_id, request_id, changes
      FROM ${schema}.audit WHERE created_at >= (SELECT ${schema}.kept_since('audit'));
    GRANT SELECT ON reporting.${schema}_audit_v1 TO ems_reporting;
  `;
}

/** Triggers of a table. Inserted or deleted rows are logged by one statement, whatever their number. */
export function auditTriggersSql(schema: string, audited: AuditedTable): string {
  const { table, resource = table.replaceAll("_", "-"), id = "id", secrets = [] } = audited;
  const { events = ["INSERT", "UPDATE", "DELETE"] } = audited;
  const values = [resource, id, secrets.join(",")].map((value) => `'${value}'`).join(", ");
  const call = `WHEN (current_setting('ems.actor', true) <> '') EXECUTE FUNCTION ${schema}.audit_keep(${values})`;
  return events
    .map((event) => {
      const rows = transitions[event];
      const each = rows === undefined ? "FOR EACH ROW" : `REFERENCING ${rows} FOR EACH STATEMENT`;
      return `
    CREATE TRIGGER audit_${event.toLowerCase()} AFTER ${event} ON ${schema}.${table} ${each} ${call};`;
    })
    .join("");
}
