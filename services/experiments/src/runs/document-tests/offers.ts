// Document tests that are offered to evaluation, of all tenants.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { DocumentTestRow } from "./entity.ts";

export type OfferedTest = Pick<DocumentTestRow, "applicationId" | "orgId" | "id" | "attempt">;

const claim = `
  WITH due AS MATERIALIZED (
    SELECT application_id, id FROM experiments.document_test WHERE due_at <= now()
    ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  UPDATE experiments.document_test t SET due_at = now() + $2 * interval '1 ms', attempt = t.attempt + 1
  FROM due WHERE t.application_id = due.application_id AND t.id = due.id
  RETURNING t.application_id AS "applicationId", t.org_id AS "orgId", t.id, t.attempt`;

/** Claims tests under a lease. */
export function claimDocumentTests(relay: RelayDatabase, limit: number, leaseMs: number): Promise<OfferedTest[]> {
  if (limit <= 0) return Promise.resolve([]);
  return relay.query<OfferedTest>({ name: "claim-document-tests", text: claim, values: [limit, leaseMs] });
}

// Jobs are recognised by their ids for a day after their end: what an older process dropped is taken up then.
const confirm = `
  UPDATE experiments.document_test t SET due_at = now() + interval '1 hour'
  FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) c (application_id, id, attempt)
  WHERE t.application_id = c.application_id AND t.id = c.id AND t.attempt = c.attempt AND t.due_at IS NOT NULL`;

/** Ends claims: the tests are offered again in an hour, unless they have ended by then. */
export async function confirmDocumentTests(relay: RelayDatabase, claims: readonly unknown[][]): Promise<void> {
  await relay.change({ name: "confirm-document-tests", text: confirm, values: claims });
}
