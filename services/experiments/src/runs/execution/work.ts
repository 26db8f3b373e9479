// Queues of work for tests in progress, of all tenants, and of missed deadlines of applications.

import { defineQueue } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { confirmDocumentTests } from "../document-tests/index.ts";
import type { ExecutionRow } from "./entity.ts";

export type ClaimedWork = Pick<
  ExecutionRow,
  "applicationId" | "orgId" | "testId" | "state" | "attempt" | "evaluations"
>;

/** Queue of prompts to write and evaluations to judge. */
export const workQueue = defineQueue<Omit<ClaimedWork, "applicationId" | "testId">, "testId">({
  name: "experiments.work",
  table: "experiments.test_execution",
  key: { testId: "uuid" },
  where: "state IN ('prompt', 'judge')",
  due: "due_at",
  columns: ["orgId", "state", "attempt", "evaluations"],
  onClaim: "attempt = attempt + 1",
  attempts: "attempt",
  fairness: "applications",
});

const confirm = `
  UPDATE experiments.test_execution x SET state = CASE x.state WHEN 'prompt' THEN 'writing' ELSE 'judging' END
  FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) c (application_id, test_id, attempt)
  WHERE x.application_id = c.application_id AND x.test_id = c.test_id AND x.attempt = c.attempt
    AND x.state IN ('prompt', 'judge')`;

/** Ends claims; ignores claims that a newer claim or offer has replaced. */
export async function confirmWork(relay: RelayDatabase, claims: readonly string[]): Promise<void> {
  const parts = claims
    .map((claim) => claim.split("/"))
    .filter((part) => part.length === 3 && claimPattern.test(part.join("/")));
  if (parts.length === 0) return;
  const values = [0, 1, 2].map((index) => parts.map((part) => part[index]));
  await relay.change({ name: "confirm-work", text: confirm, values });
  // Passes all claims to both queues, because a claim does not name its queue; ids are unique across both.
  await confirmDocumentTests(relay, values);
}

const claimPattern = /^[0-9a-f-]{36}\/[0-9a-f-]{36}\/\d{1,9}$/;

export const formatClaim = ({
  applicationId,
  testId,
  attempt,
}: Pick<ClaimedWork, "applicationId" | "testId" | "attempt">) => `${applicationId}/${testId}/${attempt}`;

export type Overdue = Pick<ExecutionRow, "applicationId" | "orgId" | "testId" | "state">;

/** Queue of tests whose application missed a deadline. */
export const deadlineQueue = defineQueue<Pick<Overdue, "orgId" | "state">, "testId">({
  name: "experiments.deadlines",
  table: "experiments.test_execution",
  key: { testId: "uuid" },
  where: "state IN ('delivery', 'trace')",
  due: "due_at",
  columns: ["orgId", "state"],
  fairness: "oldest",
});
