// DDL of the erasure of copies: what a service's audit log, stored answers and outbox hold of things whose texts are erased.

import { runtimeRole } from "./schema.ts";

/** Answers without texts, of which there are as many as requests of ingestion. */
const withoutTexts = "(IngestEvents|ExportTraces|ExportLogs|RecordResults)$";

const uuidPattern = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * `erase_copies`: entries of the audit log say which fields changed and no value, answers are no longer repeated, events that the
 * outbox still has are deleted. The owner's, since the service's role can change neither of them; of the transaction's tenant alone. Of things that the log calls `link`, entries about `linked` too: they are named by what they link.
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
