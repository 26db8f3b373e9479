// Jobs of the search's index: claimed under a lease by any process, done and deleted in one transaction of their application.

import type { RelayDatabase } from "@ems/kit/db/relay-database";

export interface Job {
  readonly applicationId: string;
  readonly id: string;
  readonly orgId: string;
  readonly traceIds: string[];
  /** Of each trace, the first step that is new. */
  readonly positions: number[];
}

/** What a process takes at a time: at most so many jobs, and no more after the bytes of the first ones. */
const claimMax = 256;
const claimBytesMax = 8 * 1024 * 1024;
/** A process that dies leaves its jobs to the others after this time. */
const leaseMs = 30_000;

const claim = `
  WITH due AS (
    SELECT application_id, id, bytes, queued_at FROM experiments.search_job WHERE leased_until < now()
    ORDER BY leased_until, queued_at LIMIT ${claimMax} FOR UPDATE SKIP LOCKED
  ), first AS (
    SELECT application_id, id FROM (
      SELECT application_id, id, sum(bytes) OVER (ORDER BY queued_at, id) - bytes AS before FROM due
    ) sums WHERE before < ${claimBytesMax}
  )
  UPDATE experiments.search_job j SET leased_until = now() + interval '${leaseMs} ms'
  FROM first WHERE j.application_id = first.application_id AND j.id = first.id
  RETURNING j.application_id AS "applicationId", j.id, j.org_id AS "orgId", j.trace_ids AS "traceIds",
    j.positions`;

/** Claims the jobs that are due longest, by application. */
export async function claimJobs(relayDatabase: RelayDatabase): Promise<Job[][]> {
  const jobs = await relayDatabase.query<Job>({ name: "claim-search-jobs", text: claim });
  return [...Map.groupBy(jobs, ({ applicationId }) => applicationId).values()];
}

const oldest = `SELECT coalesce(greatest(0, extract(epoch FROM now() - min(queued_at))), 0)::float8 AS age
  FROM experiments.search_job`;

/** How long the oldest job has been waiting, in seconds. */
export async function indexLag(relayDatabase: RelayDatabase): Promise<number> {
  const [row] = await relayDatabase.query<{ age: number }>({ text: oldest });
  return row?.age ?? 0;
}
