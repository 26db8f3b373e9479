// Keeps the rows of sessions: a session is listed while it has traces.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";

/** A trace that a request created or changed. */
export interface SessionTrace {
  readonly session: string | null;
  readonly sessionId: string | null;
  readonly timestamp: Date;
  readonly createdAt: Date;
}

// Sorted, so that concurrent requests do not deadlock. A session that is up to date is not written.
const upsert = `INSERT INTO traces.session AS stored (application_id, org_id, id, external_id, last_at, created_at)
  SELECT $1, $2, v.id, v.external_id, v.last_at, v.created_at
  FROM unnest($3::uuid[], $4::text[], $5::timestamptz[], $6::timestamptz[]) v (id, external_id, last_at, created_at) ORDER BY v.id
  ON CONFLICT (application_id, id) DO UPDATE SET last_at = excluded.last_at WHERE stored.last_at < excluded.last_at`;

/** Adds the sessions of the traces. */
export function addSessions(
  tx: Transaction,
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  traces: readonly SessionTrace[],
): void {
  const sessions = new Map<string, { externalId: string; lastAt: Date; createdAt: Date }>();
  for (const { session, sessionId, timestamp, createdAt } of traces) {
    if (session === null || sessionId === null) continue;
    const found = sessions.get(sessionId) ?? { externalId: session, lastAt: timestamp, createdAt };
    if (timestamp > found.lastAt) found.lastAt = timestamp;
    if (createdAt < found.createdAt) found.createdAt = createdAt;
    sessions.set(sessionId, found);
  }
  if (sessions.size === 0) return;
  const rows = [...sessions.values()];
  const values = [
    applicationId,
    orgId,
    [...sessions.keys()],
    rows.map(({ externalId }) => externalId),
    rows.map(({ lastAt }) => lastAt),
    rows.map(({ createdAt }) => createdAt),
  ];
  tx.defer({ name: "add-sessions", text: upsert, values });
}

const deleteEmpty = `DELETE FROM traces.session s WHERE s.application_id = $1 AND s.id = ANY ($2::uuid[])
  AND NOT EXISTS (SELECT FROM traces.trace t WHERE t.application_id = $1 AND t.session_id = s.id)`;

/** Deletes those of the sessions that no longer have traces. */
export function deleteEmptySessions(tx: Transaction, applicationId: string, ids: readonly string[]): void {
  if (ids.length > 0) tx.defer(deleteEmpty, [applicationId, ids]);
}
