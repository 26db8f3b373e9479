// Work on tests in flight, of all tenants: claimed under a lease, and the deadlines of what applications do.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { confirmDocumentTests } from "../document-tests/index.ts";
import type { ExecutionRow } from "./entity.ts";

export type ClaimedWork = Pick<
  ExecutionRow,
  "applicationId" | "orgId" | "testId" | "state" | "attempt" | "evaluations"
>;

// Applications take turns: each has its share of the limit, and what some leave goes to the others. The first index entry of each
// application is found by a lookup, so that a claim costs the same, however many tests wait.
const claim = `
  WITH RECURSIVE application AS (
    (SELECT x.application_id AS id FROM experiments.test_execution x
      WHERE x.state IN ('prompt', 'judge') ORDER BY x.application_id LIMIT 1)
    UNION ALL
    SELECT (SELECT x.application_id FROM experiments.test_execution x
      WHERE x.state IN ('prompt', 'judge') AND x.application_id > a.id ORDER BY x.application_id LIMIT 1)
    FROM application a WHERE a.id IS NOT NULL
  ), due AS MATERIALIZED (
    SELECT d.*, row_number() OVER (PARTITION BY d.application_id ORDER BY d.due_at, d.test_id) AS turn
    FROM application a CROSS JOIN LATERAL (
      SELECT x.application_id, x.test_id, x.due_at FROM experiments.test_execution x
      WHERE x.application_id = a.id AND x.state IN ('prompt', 'judge') AND x.due_at <= now()
      ORDER BY x.due_at LIMIT $1
    ) d WHERE a.id IS NOT NULL
  ), chosen AS MATERIALIZED (
    SELECT application_id, test_id FROM due ORDER BY turn, due_at, test_id LIMIT $1
  ), locked AS MATERIALIZED (
    SELECT x.application_id, x.test_id FROM chosen c
    JOIN experiments.test_execution x USING (application_id, test_id)
    WHERE x.state IN ('prompt', 'judge') AND x.due_at <= now() FOR UPDATE OF x SKIP LOCKED
  )
  UPDATE experiments.test_execution x SET due_at = now() + $2 * interval '1 ms', attempt = x.attempt + 1
  FROM locked l WHERE x.application_id = l.application_id AND x.test_id = l.test_id
  RETURNING x.application_id AS "applicationId", x.org_id AS "orgId", x.test_id AS "testId", x.state, x.attempt, x.evaluations`;

export function claimWork(relay: RelayDatabase, limit: number, leaseMs: number): Promise<ClaimedWork[]> {
  return relay.query<ClaimedWork>({ name: "claim-work", text: claim, values: [limit, leaseMs] });
}

const confirm = `
  UPDATE experiments.test_execution x SET state = CASE x.state WHEN 'prompt' THEN 'writing' ELSE 'judging' END
  FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) c (application_id, test_id, attempt)
  WHERE x.application_id = c.application_id AND x.test_id = c.test_id AND x.attempt = c.attempt
    AND x.state IN ('prompt', 'judge')`;

/** Ends claims; those that another claim or another offer came after are ignored. */
export async function confirmWork(relay: RelayDatabase, claims: readonly string[]): Promise<void> {
  const parts = claims
    .map((one) => one.split("/"))
    .filter((part) => part.length === 3 && claimPattern.test(part.join("/")));
  if (parts.length === 0) return;
  const values = [0, 1, 2].map((index) => parts.map((part) => part[index]));
  await relay.change({ name: "confirm-work", text: confirm, values });
  // A claim does not say which of the two it is of; ids are unique.
  await confirmDocumentTests(relay, values);
}

const claimPattern = /^[0-9a-f-]{36}\/[0-9a-f-]{36}\/\d{1,9}$/;

export const claimOf = ({
  applicationId,
  testId,
  attempt,
}: Pick<ClaimedWork, "applicationId" | "testId" | "attempt">) => `${applicationId}/${testId}/${attempt}`;

export type Overdue = Pick<ExecutionRow, "applicationId" | "orgId" | "testId" | "state">;

const overdueMax = 500;
/** A process that dies leaves what it claimed to the others after this time. */
const leaseMs = 30_000;

const claimDeadlines = `
  WITH due AS MATERIALIZED (
    SELECT application_id, test_id FROM experiments.test_execution WHERE state IN ('delivery', 'trace') AND due_at <= now()
    ORDER BY due_at LIMIT ${overdueMax} FOR UPDATE SKIP LOCKED
  )
  UPDATE experiments.test_execution x SET due_at = now() + interval '${leaseMs} ms'
  FROM due WHERE x.application_id = due.application_id AND x.test_id = due.test_id
  RETURNING x.application_id AS "applicationId", x.org_id AS "orgId", x.test_id AS "testId", x.state`;

export function claimOverdue(relay: RelayDatabase): Promise<Overdue[]> {
  return relay.query<Overdue>({ name: "claim-deadlines", text: claimDeadlines });
}
