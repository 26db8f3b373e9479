// The queue of mails, as the role that sees every application's.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Transaction } from "@ems/kit/db/transaction";
import { prune } from "@ems/kit/prune";
import { MailJobEntity, type MailJobRow } from "./entity.ts";

export type NewJob = Pick<MailJobRow, "applicationId" | "id" | "userId" | "orgId" | "content">;
/** A job that a mailer holds a lease on. */
export type ClaimedJob = NewJob & Pick<MailJobRow, "attempts">;
type JobKey = Pick<MailJobRow, "applicationId" | "id" | "userId">;

/** Longer than an attempt takes in all: past it, the mailer that claimed the job is gone. */
const leaseMs = 60_000;

/** Adds jobs that are due at once; idempotent. */
export async function enqueue(tx: Transaction, now: Date, jobs: readonly NewJob[]): Promise<void> {
  const due = jobs.map((job) => ({ ...job, nextAttemptAt: now, createdAt: now }));
  await tx.insert(MailJobEntity, due, "ignore");
}

/** Claims the job that has been due longest and counts the attempt; undefined when none is due. */
export async function claim(relayDatabase: RelayDatabase, now: Date): Promise<ClaimedJob | undefined> {
  const [job] = await relayDatabase.query<ClaimedJob>({
    name: "claim-mail-job",
    text: `UPDATE notifications.mail_job AS job SET leased_until = $2, attempts = job.attempts + 1
      FROM (SELECT application_id, id, user_id FROM notifications.mail_job
            WHERE status = 'PENDING' AND next_attempt_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
            ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
      WHERE job.application_id = due.application_id AND job.id = due.id AND job.user_id = due.user_id
      RETURNING job.application_id AS "applicationId", job.id, job.user_id AS "userId", job.org_id AS "orgId",
        job.content, job.attempts`,
    values: [now, new Date(now.getTime() + leaseMs)],
  });
  return job;
}

/** Ends the job; `reason` says why it was not sent. */
export async function finish(
  relayDatabase: RelayDatabase,
  { applicationId, id, userId }: JobKey,
  { status, reason = null, now }: { status: "SENT" | "FAILED" | "SKIPPED"; reason?: string | null; now: Date },
): Promise<void> {
  await relayDatabase.change({
    name: "finish-mail-job",
    text: `UPDATE notifications.mail_job
      SET status = $4, last_error = $5, finished_at = $6, next_attempt_at = NULL, leased_until = NULL
      WHERE application_id = $1 AND id = $2 AND user_id = $3`,
    values: [applicationId, id, userId, status, reason, now],
  });
}

/** Retries the job at `at`; an attempt that is not charged does not count. */
export async function reschedule(
  relayDatabase: RelayDatabase,
  { applicationId, id, userId }: JobKey,
  { at, reason, isCharged }: { at: Date; reason: string; isCharged: boolean },
): Promise<void> {
  await relayDatabase.change({
    name: "reschedule-mail-job",
    text: `UPDATE notifications.mail_job
      SET next_attempt_at = $4, last_error = $5, attempts = attempts - $6, leased_until = NULL
      WHERE application_id = $1 AND id = $2 AND user_id = $3`,
    values: [applicationId, id, userId, at, reason, isCharged ? 0 : 1],
  });
}

/** Deletes jobs that ended 30 days ago. */
export async function pruneJobs(relayDatabase: RelayDatabase, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 30 * 24 * 60 * 60_000);
  const key = ["application_id", "id", "user_id"];
  await prune(relayDatabase, { table: "notifications.mail_job", key, age: "finished_at", before });
}
