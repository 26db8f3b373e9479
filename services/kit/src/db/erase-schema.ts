// DDL that erases copies of texts: in a service's audit log, stored responses and outbox.

import { runtimeRole } from "./schema.ts";

/** RPCs whose stored responses contain no texts. Excluded because ingestion stores one for each request. */
const withoutTexts = "(IngestEvents|ExportTraces|ExportLogs|RecordResults)$";

const uuidPattern = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * `erase_copies`: audit entries keep the names of changed fields but no values, stored responses are no longer
 * replayed, and events in the outbox are deleted. Runs as the owner, since the service's role can change none of them,
 * and only for the transaction's tenant. Entries of the resource `link` are also erased if they link one of the ids in
 * `linked`.
 */
export function eraseCopiesSql(schema: string): string {
  const names = (bytes: string) => `EXISTS (
        SELECT FROM regexp_matches(encode(${bytes}, 'escape'), '(${uuidPattern})', 'g') AS found (groups)
        WHERE found.groups[1]::uuid = ANY (ids))`;
  return `
    CREATE FUNCTION ${schema}.erase_copies(ids uuid[], event_types text[], link text, linked uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      application uuid := current_setting('ems.application_id')::uuid;
    BEGIN
      UPDATE ${schema}.audit a SET changes = (
        SELECT coalesce(jsonb_object_agg(field, '{"erased": true}'::jsonb), '{}') FROM jsonb_object_keys(a.changes) field)
      WHERE a.application_id = application AND (a.entity_id = ANY (ids::text[]) OR a.resource = link AND a.entity_id = ANY (linked::text[]));
      UPDATE ${schema}.idempotency i SET answer = NULL
      WHERE i.application_id = application AND i.rpc !~ '${withoutTexts}' AND octet_length(i.answer) > 100 AND ${names("i.answer")};
      DELETE FROM ${schema}.outbox o
      WHERE o.application_id = application AND o.type = ANY (event_types) AND ${names("coalesce(o.message, convert_to(o.payload, 'UTF8'))")};
    END $$;
    REVOKE ALL ON FUNCTION ${schema}.erase_copies FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION ${schema}.erase_copies TO ${runtimeRole({ name: schema })};
  `;
}
