// Queue of the document tests of all tenants. Evaluation claims them.

import { defineQueue } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { DocumentTestRow } from "./entity.ts";

export type OfferedTest = Pick<DocumentTestRow, "applicationId" | "orgId" | "id" | "attempt">;

export const documentTestQueue = defineQueue<Pick<OfferedTest, "orgId" | "attempt">>({
  name: "experiments.document_tests",
  table: "experiments.document_test",
  due: "due_at",
  columns: ["orgId", "attempt"],
  onClaim: "attempt = attempt + 1",
  attempts: "attempt",
  fairness: "oldest",
});

// Due in an hour: evaluation ignores offers of a job for a day after its end, and resumes jobs of processes that died.
const confirm = `
  UPDATE experiments.document_test t SET due_at = now() + interval '1 hour'
  FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) c (application_id, id, attempt)
  WHERE t.application_id = c.application_id AND t.id = c.id AND t.attempt = c.attempt AND t.due_at IS NOT NULL`;

/** Ends claims: the tests become due again in an hour, unless they have ended by then. */
export async function confirmDocumentTests(relay: RelayDatabase, claims: readonly unknown[][]): Promise<void> {
  await relay.change({ name: "confirm-document-tests", text: confirm, values: claims });
}
