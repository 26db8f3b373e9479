// Access to the table of jobs, with the role that sees the rows of all applications.

import { defineQueue, type QueueJobs } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { prune } from "@ems/kit/prune";
import type { JobRow } from "./entity.ts";
import type { Consumed, Outcome } from "./outcome.ts";
import type { StoredReplies } from "./stored-replies.ts";

export type NewJob = Pick<JobRow, "applicationId" | "id" | "orgId" | "kind" | "testId" | "needsModel">;

/** A job whose lease this worker holds. */
export interface Job
  extends NewJob,
    Pick<JobRow, "attempts" | "createdAt" | "waitingFor" | "consumed" | "replies" | "outcome"> {
  /** Token of the lease; each renewal changes it. */
  leasedUntil: Date;
}

export interface Parked {
  readonly job: Job;
  readonly at: Date;
  readonly waitingFor: string | null;
  /** Number of attempts, including the failed attempt if it is charged. */
  readonly attempts: number;
  readonly consumed: Consumed | null;
  /** Replies to store; null keeps the replies in the row. */
  readonly replies?: StoredReplies | null;
}

/** Retention of ended jobs, so that work that is offered a second time is recognized. */
const keepMs = 24 * 60 * 60_000;
/** Retention of calls. Limits only count the calls of the last minute; older ones are kept for billing questions. */
const keepCallsMs = 24 * 60 * 60_000;

type Read = Omit<Job, "applicationId" | "id" | "leasedUntil">;
export type Store = QueueJobs<Read>;

export const jobQueue = defineQueue<Read>({
  name: "evaluation.jobs",
  table: "evaluation.job",
  lane: "needs_model",
  columns: [
    "orgId",
    "kind",
    "testId",
    "needsModel",
    "attempts",
    "createdAt",
    "waitingFor",
    "consumed",
    "replies",
    "outcome",
  ],
  // An unreleased lease belonged to a process that died and may have paid for calls, so the claim counts an attempt.
  onClaim: "attempts = attempts + (needs_model AND leased_until IS NOT NULL)::int",
  attempts: "attempts",
  fairness: "applications",
  lateMs: 600_000,
});

/** Adds jobs that are due immediately. Idempotent. */
export async function addJobs(relayDatabase: RelayDatabase, now: Date, jobs: readonly NewJob[]): Promise<void> {
  await relayDatabase.change({
    name: "add-jobs",
    text: `INSERT INTO evaluation.job (application_id, id, org_id, kind, test_id, needs_model, created_at, next_attempt_at)
      SELECT application_id, id, org_id, kind, test_id, needs_model, $1, $1
      FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::boolean[])
        AS new(application_id, id, org_id, kind, test_id, needs_model)
      ORDER BY application_id, id
      ON CONFLICT (application_id, id) DO NOTHING`,
    values: [
      now,
      jobs.map(({ applicationId }) => applicationId),
      jobs.map(({ id }) => id),
      jobs.map(({ orgId }) => orgId),
      jobs.map(({ kind }) => kind),
      jobs.map(({ testId }) => testId),
      jobs.map(({ needsModel }) => needsModel),
    ],
  });
}

/**
 * Finds leases whose renewal was not answered although it succeeded. No other process can claim the job before the old
 * lease ends, so a new token belongs to the process that held the old one.
 */
export function renewedLeases(
  relayDatabase: RelayDatabase,
  jobs: readonly Job[],
): Promise<Pick<Job, "applicationId" | "id" | "leasedUntil">[]> {
  return relayDatabase.query({
    name: "renewed-leases",
    text: `SELECT application_id AS "applicationId", id, j.leased_until AS "leasedUntil"
      FROM evaluation.job j JOIN unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS held(application_id, id, token)
        USING (application_id, id)
      WHERE j.leased_until > token AND clock_timestamp() < token FOR NO KEY UPDATE OF j`,
    values: [
      jobs.map(({ applicationId }) => applicationId),
      jobs.map(({ id }) => id),
      jobs.map(({ leasedUntil }) => leasedUntil),
    ],
  });
}

/**
 * Stores outcomes until experiments acknowledges them, and resets the attempts to 0. Returns the number of leases that
 * were still valid.
 */
export function keepOutcomes(jobs: Store, outcomes: readonly { job: Job; outcome: Outcome }[]): Promise<number> {
  const values = [{ type: "json", of: outcomes.map(({ outcome }) => JSON.stringify(outcome)) }];
  return jobs.change(
    "keep-outcome",
    outcomes.map(({ job }) => job),
    "outcome = v.c1, replies = NULL, attempts = 0",
    values,
  );
}

/** Stores a running job's replies and usage before its next call. Returns the number of leases that are still valid. */
export function keepReplies(jobs: Store, job: Job, replies: StoredReplies, consumed: Consumed): Promise<number> {
  const set = "replies = v.c1, consumed = v.c2";
  const values = [replies, consumed].map((value) => ({ type: "json", of: [toJson(value)] }));
  return jobs.change("keep-replies", [job], set, values);
}

/** Ends jobs. */
export function finish(jobs: Store, ended: readonly Job[], now: Date): Promise<number> {
  const set =
    "finished_at = v.c1, next_attempt_at = NULL, leased_until = NULL, waiting_for = NULL, replies = NULL, outcome = NULL";
  return jobs.change("finish", ended, set, [{ type: "timestamptz", of: ended.map(() => now) }]);
}

/** Releases the leases of jobs, which become due at their next times. */
export function park(jobs: Store, parked: readonly Parked[]): Promise<number> {
  const set = `next_attempt_at = v.c1, waiting_for = v.c2, attempts = v.c3, consumed = v.c4, replies = coalesce(v.c5, j.replies),
    leased_until = NULL`;
  return jobs.change(
    "park",
    parked.map(({ job }) => job),
    set,
    [
      { type: "timestamptz", of: parked.map(({ at }) => at) },
      { type: "text", of: parked.map(({ waitingFor }) => waitingFor) },
      { type: "int", of: parked.map(({ attempts }) => attempts) },
      { type: "json", of: parked.map(({ consumed }) => toJson(consumed)) },
      { type: "json", of: parked.map(({ replies }) => toJson(replies)) },
    ],
  );
}

const toJson = (value: object | null | undefined) => (value == null ? null : JSON.stringify(value));

/** Deletes jobs and calls that ended more than a day ago. */
export async function pruneJobs(relayDatabase: RelayDatabase, now: Date): Promise<void> {
  const key = ["application_id", "id"];
  const before = new Date(now.getTime() - keepMs);
  await prune(relayDatabase, { table: "evaluation.job", key, age: "finished_at", before });
  const callsBefore = new Date(now.getTime() - keepCallsMs);
  await prune(relayDatabase, { table: "evaluation.model_call", key, age: "ended_at", before: callsBefore });
}
