// Claims deliveries under a lease by the database's clock. If a worker dies, its lease ends and another worker claims
// the delivery.

import { isLeaseOver, leaseEnd, milliseconds } from "@ems/kit/db/lease";
import { watchQueue } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { DeliveryRow } from "../entity.ts";

type Unread = "status" | "createdAt" | "attemptCount" | "nextAttemptAt" | "lastOutcome" | "lastStatusCode";

/** A claimed delivery, with its webhook at the time of the claim. */
export interface Claimed extends Readonly<Omit<DeliveryRow, Unread>> {
  /** End of the lease, which also serves as its token: any other claim or change of the row writes another value. */
  readonly leasedUntil: Date;
  /** The webhook; null if it was deleted. */
  readonly webhook: ClaimedWebhook | null;
  /** Time when the delivery was read, by `performance.now()`. */
  readonly readAtMs: number;
}

/** Encrypted secrets of a webhook. */
export interface SealedSecrets {
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
}

export interface ClaimedWebhook extends SealedSecrets {
  readonly id: string;
  readonly url: string;
  /** Encrypted headers. */
  readonly headers: string | null;
  readonly isDisabled: boolean;
  readonly failureStreak: number;
  readonly modifiedAt: Date;
}

/**
 * Not claimed with `defineQueue`, because this claim also reads the webhook, separates failing endpoints, has a limit
 * per endpoint and continues from a cursor. Median time of a claim of 256 out of 10,000 due deliveries, and of a claim
 * in turn without webhooks: 25-39 and 138-164 ms with 10,000 applications, 18-29 and 45-66 ms with 1,000, 12-22 and
 * 20-27 ms with 100.
 */
const defineScan = (name: string, kind: DeliveryRow["kind"]) =>
  watchQueue({
    name,
    table: "notifications.delivery",
    where: `status = 'PENDING' AND kind = '${kind}'`,
    due: "next_attempt_at",
    lease: "leased_until",
    attempts: "attempt_count",
    lateMs: 300_000,
  });
export const deliveryQueue = defineScan("notifications.deliveries", "EVENT");
export const promptQueue = defineScan("notifications.prompts", "PROMPT");

/** Number of consecutive failures after which an endpoint gets one attempt at a time. */
export const failingStreakMin = 5;

export interface ClaimQuery {
  readonly kind: DeliveryRow["kind"];
  readonly now: Date;
  readonly leaseMs: number;
  /** True to claim only from failing endpoints, false to claim only from the others. */
  readonly isFailing: boolean;
  /** Cursor: claims from applications with a greater ID. */
  readonly after: string;
  readonly rowsMax: number;
  /** Maximum number of rows per application: for the applications listed here, and for all others. */
  readonly limits: ReadonlyMap<string, number>;
  readonly limitElse: number;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** Cursor for the next claim; undefined at the end of the applications. */
  readonly cursor: string | undefined;
}

/** Maximum number of applications visited by one claim. */
const applicationsMax = 1_000;

const columns = `d.application_id AS "applicationId", d.id, d.org_id AS "orgId", d.webhook_id AS "webhookId", d.kind, d.type,
  d.payload, d.traceparent, d.schedule_step AS "scheduleStep", d.schedule_steps AS "scheduleSteps", d.leased_until AS "leasedUntil",
  w.id AS "currentWebhookId", w.url, w.secret, w.previous_secret AS "previousSecret",
  w.previous_secret_until AS "previousSecretUntil", w.headers, w.disabled_at IS NOT NULL AS "isDisabled",
  CASE WHEN d.kind = 'EVENT' THEN w.failure_streak ELSE 0 END AS "failureStreak", w.modified_at AS "modifiedAt"`;

/**
 * Loose index scan over applications, so that a long queue of one application does not slow down the others. Updates
 * rows by ctid, because a generic plan would scan the table to find a few IDs.
 */
const buildClaim = (kind: DeliveryRow["kind"], isEndpointWanted: string) => ({
  name: `${kind.toLowerCase()}-claim`,
  text: `WITH RECURSIVE app AS (
      (SELECT application_id, 1 AS nth FROM notifications.delivery
        WHERE status = 'PENDING' AND kind = '${kind}' AND application_id > $4 ORDER BY application_id LIMIT 1)
      UNION ALL
      SELECT next.application_id, app.nth + 1 FROM app CROSS JOIN LATERAL (
        SELECT application_id FROM notifications.delivery
        WHERE status = 'PENDING' AND kind = '${kind}' AND application_id > app.application_id ORDER BY application_id LIMIT 1) next
      WHERE app.nth < ${applicationsMax}
    ), picked AS MATERIALIZED (
      SELECT due.row FROM app
        LEFT JOIN notifications.webhook w ON w.application_id = app.application_id
        LEFT JOIN unnest($6::uuid[], $7::int[]) AS own(application_id, row_limit) ON own.application_id = app.application_id
        CROSS JOIN LATERAL (
          SELECT d.ctid AS row FROM notifications.delivery d
          WHERE d.status = 'PENDING' AND d.kind = '${kind}' AND d.application_id = app.application_id AND d.next_attempt_at <= $1
            AND ${isLeaseOver("d.leased_until", milliseconds("$2"))}
          ORDER BY d.next_attempt_at LIMIT coalesce(own.row_limit, $8::int) FOR UPDATE SKIP LOCKED) due
      WHERE ${isEndpointWanted}
      LIMIT $5
    ), claimed AS (
      UPDATE notifications.delivery SET leased_until = ${leaseEnd(milliseconds("$2"))}
      WHERE ctid = ANY (ARRAY(SELECT row FROM picked)) RETURNING *
    )
    SELECT ${columns}, (SELECT application_id FROM app ORDER BY nth DESC LIMIT 1) AS "lastApplication",
      (SELECT count(*) FROM app) >= ${applicationsMax} AS "isMore"
    FROM (VALUES (1)) AS one LEFT JOIN claimed AS d ON true
      LEFT JOIN notifications.webhook w ON w.application_id = d.application_id`,
});

/** Claims events, either of failing endpoints or of the others. */
export const claimStatement = buildClaim("EVENT", `(coalesce(w.failure_streak, 0) >= ${failingStreakMin}) = $3`);
/** Claims prompts. Their failures do not say that the endpoint fails, because most are not retried. */
const promptClaimStatement = buildClaim("PROMPT", "NOT $3::boolean");

/** LATERAL with LIMIT finds each row by key. Else, PostgreSQL might search each row in the application's due rows. */
export const renewStatement = {
  name: "delivery-renew",
  text: `WITH leased AS MATERIALIZED (
      SELECT d.application_id, d.id
      FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) AS leased(application_id, id, leased_until)
        CROSS JOIN LATERAL (
          SELECT application_id, id, status, leased_until FROM notifications.delivery
          WHERE application_id = leased.application_id AND id = leased.id LIMIT 1 FOR UPDATE SKIP LOCKED) d
      WHERE d.status = 'PENDING' AND d.leased_until = leased.leased_until
    )
    UPDATE notifications.delivery d SET leased_until = ${leaseEnd(milliseconds("$1"))}
    FROM leased LEFT JOIN notifications.webhook w ON w.application_id = leased.application_id
    WHERE d.application_id = leased.application_id AND d.id = leased.id
    RETURNING ${columns}`,
};

export async function claim(relayDatabase: RelayDatabase, query: ClaimQuery): Promise<Claim> {
  const { kind, now, leaseMs, isFailing, after, rowsMax, limits, limitElse } = query;
  const readAtMs = performance.now();
  const values = [now, leaseMs, isFailing, after, rowsMax, [...limits.keys()], [...limits.values()], limitElse];
  const rows = await relayDatabase.query<ClaimedRow & { lastApplication: string | null; isMore: boolean }>({
    ...(kind === "EVENT" ? claimStatement : promptClaimStatement),
    values,
  });
  const claimed = toClaimed(
    rows.filter(({ id }) => id !== null),
    readAtMs,
  );
  if (claimed.length >= rowsMax) {
    // Not all applications were visited because of the limit: the cursor is the last application that returned rows.
    const applications = claimed.map(({ applicationId }) => applicationId).sort();
    return { claimed, cursor: applications.at(-1) };
  }
  const [row] = rows;
  return { claimed, cursor: row?.isMore ? (row.lastApplication ?? undefined) : undefined };
}

/** Renews the leases of those `leased` deliveries whose lease is still valid, and reads them a second time. */
export async function renew(
  relayDatabase: RelayDatabase,
  leased: readonly Claimed[],
  leaseMs: number,
): Promise<Claimed[]> {
  const readAtMs = performance.now();
  const rows = await relayDatabase.query<ClaimedRow>({
    ...renewStatement,
    values: [
      leaseMs,
      leased.map(({ applicationId }) => applicationId),
      leased.map(({ id }) => id),
      leased.map(({ leasedUntil }) => leasedUntil),
    ],
  });
  return toClaimed(rows, readAtMs);
}

type ClaimedRow = Omit<Claimed, "webhook" | "readAtMs"> &
  Omit<ClaimedWebhook, "id"> & { readonly currentWebhookId: string | null };

/** Converts rows; deliveries that were read together share one object per webhook. */
function toClaimed(rows: readonly ClaimedRow[], readAtMs: number): Claimed[] {
  const webhooks = new Map<string, ClaimedWebhook>();
  return rows.map((row) => {
    const { currentWebhookId: id, url, secret, previousSecret, previousSecretUntil, headers, ...claimedRow } = row;
    const { isDisabled, failureStreak, modifiedAt, ...delivery } = claimedRow;
    if (id === null) return { ...delivery, webhook: null, readAtMs };
    const sealed = { secret, previousSecret, previousSecretUntil, headers };
    const webhook = webhooks.get(id) ?? { id, url, ...sealed, isDisabled, failureStreak, modifiedAt };
    webhooks.set(id, webhook);
    return { ...delivery, webhook, readAtMs };
  });
}
