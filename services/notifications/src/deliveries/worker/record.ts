// Writes what came of attempts, many at a time. A row that somebody changed while it was in hand keeps what they wrote: a
// deleted webhook's delivery stays cancelled, one that was sent again stays due. The attempt is logged all the same.

import type { Pool } from "pg";
import type { Health, NextState } from "./next-state.ts";

/** Rows that somebody else holds are left out instead of waited for, so that nobody waits in a circle. */
const recordStatement = {
  name: "delivery-record",
  text: `WITH verdict AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS v(application_id uuid, id uuid, leased_until timestamptz, status text,
        next_attempt_at timestamptz, schedule_step int, outcome text, counts boolean, started_at timestamptz, duration_ms int,
        status_code int, response_body text, remote_address text)
    ), free AS MATERIALIZED (
      SELECT v.*, d.status = 'PENDING' AND d.leased_until IS NOT DISTINCT FROM v.leased_until AS held
      FROM verdict v JOIN notifications.delivery d USING (application_id, id)
      FOR NO KEY UPDATE OF d SKIP LOCKED
    ), changed AS (
      UPDATE notifications.delivery d SET
        attempt_count = d.attempt_count + f.counts::int,
        last_outcome = CASE WHEN f.counts OR f.held THEN coalesce(f.outcome, d.last_outcome) ELSE d.last_outcome END,
        last_status_code = CASE WHEN f.counts THEN f.status_code ELSE d.last_status_code END,
        status = CASE WHEN f.held THEN f.status ELSE d.status END,
        schedule_step = CASE WHEN f.held THEN f.schedule_step ELSE d.schedule_step END,
        leased_until = CASE WHEN f.held THEN NULL ELSE d.leased_until END,
        next_attempt_at = CASE WHEN NOT f.held THEN d.next_attempt_at WHEN f.status <> 'PENDING' THEN NULL
          ELSE coalesce(f.next_attempt_at, d.next_attempt_at) END
      FROM free f WHERE d.application_id = f.application_id AND d.id = f.id
      RETURNING d.application_id, d.id, d.attempt_count
    ), logged AS (
      INSERT INTO notifications.attempt (application_id, delivery_id, number, started_at, duration_ms, outcome, status_code,
        response_body, remote_address)
      SELECT f.application_id, f.id, changed.attempt_count, f.started_at, f.duration_ms, f.outcome, f.status_code,
        f.response_body, f.remote_address
      FROM free f JOIN changed USING (application_id, id) WHERE f.counts
    )
    SELECT application_id AS "applicationId", id FROM changed`,
};

/** Only of a webhook that is as it was attempted: one that was set anew starts with a clean sheet. */
const healthStatement = {
  name: "delivery-health",
  text: `WITH health AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS h(application_id uuid, webhook_id uuid, url text, modified_at timestamptz,
        has_succeeded boolean, failures int, first_failure_at timestamptz)
    ), locked AS MATERIALIZED (
      SELECT h.* FROM health h JOIN notifications.webhook w ON w.application_id = h.application_id AND w.id = h.webhook_id
        AND w.url = h.url AND w.modified_at = h.modified_at
      WHERE h.failures > 0 OR w.failure_streak > 0
      ORDER BY h.application_id FOR NO KEY UPDATE OF w
    )
    UPDATE notifications.webhook w SET
      failure_streak = CASE WHEN l.has_succeeded THEN l.failures ELSE w.failure_streak + l.failures END,
      failing_since = CASE WHEN l.failures = 0 THEN NULL WHEN l.has_succeeded THEN l.first_failure_at
        ELSE coalesce(w.failing_since, l.first_failure_at) END
    FROM locked l WHERE w.application_id = l.application_id
    RETURNING w.application_id AS "applicationId", w.failing_since AS "failingSince"`,
};

/** Writes `verdicts`; answers those that could not be written now because somebody else holds their rows. */
export async function record(pool: Pool, verdicts: readonly NextState[]): Promise<NextState[]> {
  const rows = verdicts.map(({ claimed, attempt, outcome, ...change }) => ({
    application_id: claimed.applicationId,
    id: claimed.id,
    leased_until: claimed.leasedUntil,
    status: change.status,
    next_attempt_at: change.nextAttemptAt,
    schedule_step: change.scheduleStep,
    outcome: attempt?.outcome ?? outcome,
    counts: attempt !== null,
    started_at: attempt?.startedAt,
    duration_ms: attempt?.durationMs,
    status_code: attempt?.statusCode,
    response_body: attempt?.responseBody,
    remote_address: attempt?.remoteAddress,
  }));
  const written = await pool.query<{ applicationId: string; id: string }>({
    ...recordStatement,
    values: [JSON.stringify(rows)],
  });
  if (written.rowCount === verdicts.length) return [];
  const ids = new Set(written.rows.map(({ applicationId, id }) => `${applicationId} ${id}`));
  return verdicts.filter(({ claimed }) => !ids.has(`${claimed.applicationId} ${claimed.id}`));
}

/** Since when each webhook of `healths` has been failing that is. */
export async function recordHealth(pool: Pool, healths: readonly Health[]): Promise<Map<string, Date>> {
  const rows = healths.map(({ claimed, ...health }) => ({
    application_id: claimed.applicationId,
    webhook_id: claimed.webhook?.id,
    url: claimed.webhook?.url,
    modified_at: claimed.webhook?.modifiedAt,
    has_succeeded: health.hasSucceeded,
    failures: health.failures,
    first_failure_at: health.firstFailureAt,
  }));
  if (rows.length === 0) return new Map();
  const { rows: webhooks } = await pool.query<{ applicationId: string; failingSince: Date | null }>({
    ...healthStatement,
    values: [JSON.stringify(rows)],
  });
  return new Map(
    webhooks.flatMap(({ applicationId, failingSince }) =>
      failingSince === null ? [] : [[applicationId, failingSince]],
    ),
  );
}
