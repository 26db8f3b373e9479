// Queue of prompts' outcomes, accessed with the role that may read the rows of every application.

import { defineQueue, type QueueJobs } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { prune } from "@ems/kit/prune";
import type { PromptOutcomeRow } from "./entity.ts";

export type ClaimedOutcome = Readonly<Omit<PromptOutcomeRow, "nextAttemptAt" | "leasedUntil"> & { leasedUntil: Date }>;

type Read = Omit<ClaimedOutcome, "applicationId" | "testId" | "leasedUntil">;
export type Outcomes = QueueJobs<Read, "testId">;

export const outcomeQueue = defineQueue<Read, "testId">({
  name: "notifications.prompt_outcomes",
  table: "notifications.prompt_outcome",
  key: { testId: "uuid" },
  columns: ["orgId", "acceptedAt", "durationMs", "answer", "failure", "attempts", "createdAt"],
  onClaim: "attempts = attempts + 1",
  since: "created_at",
  attempts: "attempts",
  fairness: "applications",
  lateMs: 120_000,
});

/** Deletes an outcome that experiments acknowledged, even if the lease was lost. */
export async function forget(
  relayDatabase: RelayDatabase,
  { applicationId, testId }: Pick<ClaimedOutcome, "applicationId" | "testId">,
): Promise<void> {
  await relayDatabase.change({
    name: "forget-prompt-outcome",
    text: "DELETE FROM notifications.prompt_outcome WHERE application_id = $1 AND test_id = $2",
    values: [applicationId, testId],
  });
}

/** Ends the lease, so that the outcome is due again at the given time. */
export async function retryAt(outcomes: Outcomes, outcome: ClaimedOutcome, at: Date): Promise<void> {
  const values = [{ type: "timestamptz", of: [at] }];
  await outcomes.change("retry", [outcome], "next_attempt_at = v.c1, leased_until = NULL", values);
}

/** Deletes outcomes recorded before `before` that were not acknowledged; returns their number. */
export function pruneOutcomes(relayDatabase: RelayDatabase, before: Date): Promise<number> {
  const key = ["application_id", "test_id"];
  return prune(relayDatabase, { table: "notifications.prompt_outcome", key, age: "created_at", before });
}
