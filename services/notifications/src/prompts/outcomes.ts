// The queue of prompts' outcomes, as the role that sees every application's.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { PromptOutcomeRow } from "./entity.ts";

export type ClaimedOutcome = Readonly<
  Omit<PromptOutcomeRow, "nextAttemptAt" | "createdAt" | "leasedUntil"> & { leasedUntil: Date }
>;

/** Longer than a call takes: past it, the process that claimed the outcome is gone. */
const leaseMs = 60_000;
/** Of one application at a time, so that the next one's is claimed beside it. */
const perApplication = 8;
const claimedMax = 16;

/** Claims due outcomes, application by application (loose index scan). */
const claimText = `WITH RECURSIVE app AS (
    (SELECT application_id FROM notifications.prompt_outcome ORDER BY application_id LIMIT 1)
    UNION ALL
    SELECT next.application_id FROM app CROSS JOIN LATERAL (
      SELECT application_id FROM notifications.prompt_outcome
      WHERE application_id > app.application_id ORDER BY application_id LIMIT 1) next
  ), due AS MATERIALIZED (
    SELECT one.row FROM app CROSS JOIN LATERAL (
      SELECT ctid AS row, next_attempt_at FROM notifications.prompt_outcome
      WHERE application_id = app.application_id AND next_attempt_at <= $1
        AND (leased_until IS NULL OR leased_until <= clock_timestamp())
      ORDER BY next_attempt_at LIMIT ${perApplication} FOR UPDATE SKIP LOCKED) one
    ORDER BY one.next_attempt_at LIMIT ${claimedMax}
  )
  UPDATE notifications.prompt_outcome AS o
  SET leased_until = date_trunc('milliseconds', clock_timestamp()) + interval '${leaseMs} milliseconds', attempts = attempts + 1
  WHERE ctid = ANY (ARRAY(SELECT row FROM due))
  RETURNING o.application_id AS "applicationId", o.test_id AS "testId", o.org_id AS "orgId", o.accepted_at AS "acceptedAt",
    o.duration_ms AS "durationMs", o.answer, o.failure, o.attempts, o.leased_until AS "leasedUntil"`;

export function claimOutcomes(relayDatabase: RelayDatabase, now: Date): Promise<ClaimedOutcome[]> {
  return relayDatabase.query<ClaimedOutcome>({ name: "claim-prompt-outcomes", text: claimText, values: [now] });
}

/** Ends an outcome that experiments knows; who lost the lease ends it too, since it was acknowledged. */
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

/** Ends the lease; the outcome is due again at that time. */
export async function retryAt(
  relayDatabase: RelayDatabase,
  { applicationId, testId, leasedUntil }: ClaimedOutcome,
  at: Date,
): Promise<void> {
  await relayDatabase.change({
    name: "retry-prompt-outcome",
    text: `UPDATE notifications.prompt_outcome SET next_attempt_at = $4, leased_until = NULL
      WHERE application_id = $1 AND test_id = $2 AND leased_until = $3`,
    values: [applicationId, testId, leasedUntil, at],
  });
}
