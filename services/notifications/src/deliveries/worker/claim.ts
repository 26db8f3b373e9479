// Which deliveries a worker takes in hand. A row that is taken carries a lease by the database's clock: a worker that never
// comes back loses it, and another takes the delivery up.

import type { Pool } from "pg";

/** A delivery in hand, with its webhook as it is now. */
export interface Claimed {
  readonly applicationId: string;
  readonly id: string;
  readonly orgId: string;
  readonly webhookId: string;
  readonly type: string;
  readonly payload: string;
  /** The W3C trace context that the event was taken in under. */
  readonly traceparent: string | null;
  readonly scheduleStep: number;
  readonly scheduleSteps: number;
  /** Until when it is ours; whoever takes or changes it meanwhile puts something else there. */
  readonly leasedUntil: Date;
  /** Null when there is none any more. */
  readonly webhook: ClaimedWebhook | null;
  /** When the webhook was as it is here, on this process's own clock (`performance.now()`). */
  readonly seenAtMs: number;
}

export interface ClaimedWebhook {
  readonly id: string;
  readonly url: string;
  /** Sealed, as all three of these. */
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
  readonly headers: string | null;
  readonly isDisabled: boolean;
  readonly failureStreak: number;
  readonly modifiedAt: Date;
}

/** From so many failures in a row on an endpoint is attempted one delivery at a time. */
export const failingStreak = 5;

export interface ClaimQuery {
  /** What is due by then is taken. */
  readonly now: Date;
  readonly leaseMs: number;
  /** Deliveries to endpoints whose last attempts failed, or to all others. */
  readonly isFailing: boolean;
  /** Applications after this one, in the order of their ids. */
  readonly after: string;
  readonly rowsMax: number;
  /** The most of one application: of those that are named here, and of the rest. */
  readonly wants: ReadonlyMap<string, number>;
  readonly wantElse: number;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** The last application that was looked at; undefined when none was left. */
  readonly lookedUpTo: string | undefined;
}

/** Before every application's id. */
export const firstApplication = "00000000-0000-0000-0000-000000000000";

/** So many applications one claim looks at: the next one goes on from there. */
const applicationsMax = 1_000;

const columns = `d.application_id AS "applicationId", d.id, d.org_id AS "orgId", d.webhook_id AS "webhookId", d.type,
  d.payload, d.traceparent, d.schedule_step AS "scheduleStep", d.schedule_steps AS "scheduleSteps", d.leased_until AS "leasedUntil",
  w.id AS "currentWebhookId", w.url, w.secret, w.previous_secret AS "previousSecret",
  w.previous_secret_until AS "previousSecretUntil", w.headers, w.disabled_at IS NOT NULL AS "isDisabled",
  w.failure_streak AS "failureStreak", w.modified_at AS "modifiedAt"`;

const leaseFrom = (parameter: string) =>
  `date_trunc('milliseconds', clock_timestamp()) + ${parameter} * interval '1 millisecond'`;

/**
 * From application to application by the index of what is pending, and of each the first that are due: what one has in
 * its queue costs the others nothing. Nobody waits for a row that somebody else holds. Rows are changed by where they lie,
 * because a plan for any values would read them all to find a few by their ids.
 */
export const claimStatement = {
  name: "delivery-claim",
  text: `WITH RECURSIVE app AS (
      (SELECT application_id, 1 AS nth FROM notifications.delivery
        WHERE status = 'PENDING' AND application_id > $4 ORDER BY application_id LIMIT 1)
      UNION ALL
      SELECT next.application_id, app.nth + 1 FROM app CROSS JOIN LATERAL (
        SELECT application_id FROM notifications.delivery
        WHERE status = 'PENDING' AND application_id > app.application_id ORDER BY application_id LIMIT 1) next
      WHERE app.nth < ${applicationsMax}
    ), picked AS MATERIALIZED (
      SELECT due.row FROM app
        LEFT JOIN notifications.webhook w ON w.application_id = app.application_id
        LEFT JOIN unnest($6::uuid[], $7::int[]) AS held(application_id, want) ON held.application_id = app.application_id
        CROSS JOIN LATERAL (
          SELECT d.ctid AS row FROM notifications.delivery d
          WHERE d.status = 'PENDING' AND d.application_id = app.application_id AND d.next_attempt_at <= $1
            AND (d.leased_until IS NULL OR d.leased_until <= clock_timestamp())
          ORDER BY d.next_attempt_at LIMIT coalesce(held.want, $8::int) FOR UPDATE SKIP LOCKED) due
      WHERE (coalesce(w.failure_streak, 0) >= ${failingStreak}) = $3
      LIMIT $5
    ), taken AS (
      UPDATE notifications.delivery SET leased_until = ${leaseFrom("$2")}
      WHERE ctid = ANY (ARRAY(SELECT row FROM picked)) RETURNING *
    )
    SELECT ${columns}, (SELECT application_id FROM app ORDER BY nth DESC LIMIT 1) AS "lookedUpTo",
      (SELECT count(*) FROM app) >= ${applicationsMax} AS "isMore"
    FROM (VALUES (1)) AS one LEFT JOIN taken AS d ON true
      LEFT JOIN notifications.webhook w ON w.application_id = d.application_id`,
};

const renewStatement = {
  name: "delivery-renew",
  text: `WITH held AS MATERIALIZED (
      SELECT d.application_id, d.id
      FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) AS held(application_id, id, leased_until)
        JOIN notifications.delivery d USING (application_id, id)
      WHERE d.status = 'PENDING' AND d.leased_until = held.leased_until
      FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE notifications.delivery d SET leased_until = ${leaseFrom("$1")}
    FROM held LEFT JOIN notifications.webhook w ON w.application_id = held.application_id
    WHERE d.application_id = held.application_id AND d.id = held.id
    RETURNING ${columns}`,
};

export async function claim(pool: Pool, query: ClaimQuery): Promise<Claim> {
  const { now, leaseMs, isFailing, after, rowsMax, wants, wantElse } = query;
  const seenAtMs = performance.now();
  const values = [now, leaseMs, isFailing, after, rowsMax, [...wants.keys()], [...wants.values()], wantElse];
  const { rows } = await pool.query<ClaimedRow & { lookedUpTo: string | null; isMore: boolean }>({
    ...claimStatement,
    values,
  });
  const claimed = rows.filter(({ id }) => id !== null).map((row) => claimedOf(row, seenAtMs));
  if (claimed.length >= rowsMax) {
    // Some were not looked at: go on after the last one that gave something.
    const last = claimed
      .map(({ applicationId }) => applicationId)
      .sort()
      .at(-1);
    return { claimed, lookedUpTo: last };
  }
  const [row] = rows;
  return { claimed, lookedUpTo: row?.isMore ? (row.lookedUpTo ?? undefined) : undefined };
}

/** What of `held` is still ours, leased anew and with its webhook as it is now. */
export async function renew(pool: Pool, held: readonly Claimed[], leaseMs: number): Promise<Claimed[]> {
  const seenAtMs = performance.now();
  const { rows } = await pool.query<ClaimedRow>({
    ...renewStatement,
    values: [
      leaseMs,
      held.map(({ applicationId }) => applicationId),
      held.map(({ id }) => id),
      held.map(({ leasedUntil }) => leasedUntil),
    ],
  });
  return rows.map((row) => claimedOf(row, seenAtMs));
}

type ClaimedRow = Omit<Claimed, "webhook" | "seenAtMs"> &
  Omit<ClaimedWebhook, "id"> & { readonly currentWebhookId: string | null };

function claimedOf(row: ClaimedRow, seenAtMs: number): Claimed {
  const { applicationId, id, orgId, webhookId, type, payload, traceparent } = row;
  const { scheduleStep, scheduleSteps, leasedUntil } = row;
  const { currentWebhookId, url, secret, previousSecret, previousSecretUntil, headers, isDisabled } = row;
  const webhook =
    currentWebhookId === null
      ? null
      : {
          id: currentWebhookId,
          url,
          secret,
          previousSecret,
          previousSecretUntil,
          headers,
          isDisabled,
          failureStreak: row.failureStreak,
          modifiedAt: row.modifiedAt,
        };
  return {
    applicationId,
    id,
    orgId,
    webhookId,
    type,
    payload,
    traceparent,
    scheduleStep,
    scheduleSteps,
    leasedUntil,
    webhook,
    seenAtMs,
  };
}
