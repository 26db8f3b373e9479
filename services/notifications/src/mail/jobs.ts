// Queue of mails, accessed with the role that may read the rows of every application.

import { defineQueue, type QueueJobs } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Transaction } from "@ems/kit/db/transaction";
import { prune } from "@ems/kit/prune";
import type { Retained } from "@ems/kit/retention";
import { MailJobEntity, type MailJobRow } from "./entity.ts";

export type NewJob = Pick<MailJobRow, "applicationId" | "id" | "userId" | "orgId" | "content">;
/** A job whose lease this mailer holds. */
export type ClaimedJob = NewJob & Pick<MailJobRow, "attempts"> & { readonly leasedUntil: Date };

type Read = Pick<ClaimedJob, "orgId" | "content" | "attempts">;
export type MailJobs = QueueJobs<Read, "id" | "userId">;

export const mailQueue = defineQueue<Read, "id" | "userId">({
  name: "notifications.mails",
  table: "notifications.mail_job",
  key: { id: "uuid", userId: "text" },
  columns: ["orgId", "content", "attempts"],
  onClaim: "attempts = attempts + 1",
  attempts: "attempts",
  fairness: "applications",
  lateMs: 300_000,
});

/** Adds jobs, which are due immediately. Idempotent. */
export async function enqueue(tx: Transaction, now: Date, jobs: readonly NewJob[]): Promise<void> {
  const due = jobs.map((job) => ({ ...job, nextAttemptAt: now, createdAt: now }));
  await tx.insert(MailJobEntity, due, "ignore");
}

/** Ends a job; `reason` says why the mail was not sent. */
export async function finish(
  jobs: MailJobs,
  job: ClaimedJob,
  { status, reason = null, now }: { status: "SENT" | "FAILED" | "SKIPPED"; reason?: string | null; now: Date },
): Promise<void> {
  const set = "status = v.c1, last_error = v.c2, finished_at = v.c3, next_attempt_at = NULL, leased_until = NULL";
  const values = [
    { type: "text", of: [status] },
    { type: "text", of: [reason] },
    { type: "timestamptz", of: [now] },
  ];
  await jobs.change("finish", [job], set, values);
}

/** Schedules a job's retry for `at`. An attempt that is not charged is not counted. */
export async function reschedule(
  jobs: MailJobs,
  job: ClaimedJob,
  { at, reason, isCharged }: { at: Date; reason: string; isCharged: boolean },
): Promise<void> {
  const set = "next_attempt_at = v.c1, last_error = v.c2, attempts = j.attempts - v.c3, leased_until = NULL";
  const values = [
    { type: "timestamptz", of: [at] },
    { type: "text", of: [reason] },
    { type: "int", of: [isCharged ? 0 : 1] },
  ];
  await jobs.change("reschedule", [job], set, values);
}

/** Retention of mail jobs, counted from their end. */
export function retainedMails(days: number, relayDatabase: RelayDatabase): Retained {
  return {
    kind: "mails",
    days,
    async clear(before, onDeleted) {
      const key = ["application_id", "id", "user_id"];
      await prune(relayDatabase, { table: "notifications.mail_job", key, age: "finished_at", before, onDeleted });
    },
  };
}
