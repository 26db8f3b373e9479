// Limits of model connections across all processes: a sliding window in PostgreSQL, under a lock of the connection.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Tenant } from "@ems/kit/tenant";

/** Limits of a connection; undefined means no limit. */
export interface ConnectionLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** Maximum number of concurrent calls. */
  readonly concurrency?: number | undefined;
}

export const minuteMs = 60_000;

/**
 * Time by which the window is longer than a minute, because a request reaches the provider some time after it was
 * counted. A call that begins even later is counted once more.
 */
export const startWithinMs = 1_000;

export interface CallReservation {
  readonly id: string;
  readonly connectionId: string;
  /** Maximum number of tokens that the call may use. */
  readonly tokens: number;
  readonly costMicro: number;
  /** True if the call may begin without a reservation in budgets. */
  readonly isUnbudgeted?: boolean;
  /** Time after which the call has certainly ended, or its process has died. */
  readonly timeoutMs: number;
}

/** Undefined if the call may begin; otherwise how long it must wait. */
export type Acquired = { readonly waitMs: number } | undefined;

interface WindowRow {
  readonly requests: number;
  readonly tokens: string;
  readonly open: number;
  /** Milliseconds until the oldest call leaves the window, and until the n-th newest call does. */
  readonly oldestMs: number | null;
  readonly nthMs: number | null;
}

/** Retry delay if the maximum number of concurrent calls is in progress. */
const concurrencyWaitMs = 250;

export class ModelLimits {
  readonly #relayDatabase: RelayDatabase;
  readonly #windowMs: number;

  constructor(relayDatabase: RelayDatabase, windowMs = minuteMs) {
    this.#relayDatabase = relayDatabase;
    this.#windowMs = windowMs + startWithinMs;
  }

  /**
   * Counts a call if the connection's limits have room for it. A call that was counted too long ago is counted once
   * more, and keeps its reservation in budgets unless it has to wait.
   */
  acquire({ applicationId, orgId }: Tenant, limits: ConnectionLimits, call: CallReservation): Promise<Acquired> {
    return this.#relayDatabase.transaction(async (tx) => {
      tx.defer("SELECT pg_advisory_xact_lock(hashtextextended($1, 16))", [call.connectionId]);
      const [[before], [row]] = await Promise.all([
        tx.query<{ isReserved: boolean }>(
          `DELETE FROM evaluation.model_call WHERE application_id = $1 AND id = $2 AND ended_at IS NULL
           RETURNING is_reserved AS "isReserved"`,
          [applicationId, call.id],
        ),
        tx.query<WindowRow>(windowStatement(call.connectionId, this.#windowMs, limits)),
      ]);
      const waitMs = row === undefined ? undefined : getWait(row, limits, call.tokens);
      if (waitMs !== undefined) return { waitMs };
      tx.defer(
        `INSERT INTO evaluation.model_call (application_id, id, org_id, connection_id, started_at, expires_at, tokens, cost_micro,
           is_reserved)
         SELECT $1, $2, $3, $4, at, at + $5 * interval '1 millisecond', $6, $7, $8
         FROM date_trunc('milliseconds', clock_timestamp()) AS at`,
        [
          applicationId,
          call.id,
          orgId,
          call.connectionId,
          call.timeoutMs,
          call.tokens,
          call.costMicro,
          call.isUnbudgeted === true || (before?.isReserved ?? false),
        ],
      );
      return undefined;
    });
  }

  /** Removes a call that did not begin, so that it is not counted. */
  async release({ applicationId }: Tenant, id: string): Promise<void> {
    await this.#relayDatabase.change({
      name: "release-model-call",
      text: "DELETE FROM evaluation.model_call WHERE application_id = $1 AND id = $2 AND ended_at IS NULL",
      values: [applicationId, id],
    });
  }
}

function windowStatement(connectionId: string, windowMs: number, { requestsPerMinute = 1 }: ConnectionLimits) {
  return {
    name: "model-window",
    text: `WITH recent AS MATERIALIZED (
        SELECT started_at, tokens, ended_at IS NULL AND expires_at > at AS is_open, at
        FROM evaluation.model_call, clock_timestamp() AS at
        WHERE connection_id = $1 AND started_at > at - greatest($2, 3600000) * interval '1 millisecond'
      ), counted AS MATERIALIZED (
        SELECT started_at, tokens, at FROM recent WHERE started_at > at - $2 * interval '1 millisecond')
      SELECT (SELECT count(*)::int FROM counted) AS requests, (SELECT coalesce(sum(tokens), 0)::text FROM counted) AS tokens,
        (SELECT count(*)::int FROM recent WHERE is_open) AS open,
        (SELECT $2 - extract(epoch FROM at - started_at) * 1000 FROM counted ORDER BY started_at LIMIT 1)::float8 AS "oldestMs",
        (SELECT $2 - extract(epoch FROM at - started_at) * 1000 FROM counted
          ORDER BY started_at DESC OFFSET $3 LIMIT 1)::float8 AS "nthMs"`,
    values: [connectionId, windowMs, requestsPerMinute - 1],
  };
}

function getWait(row: WindowRow, limits: ConnectionLimits, tokens: number): number | undefined {
  const { requestsPerMinute: requests, tokensPerMinute, concurrency } = limits;
  if (requests !== undefined && row.requests >= requests) return Math.max(1, row.nthMs ?? 1);
  // A call whose maximum exceeds the limit waits for an empty window; most calls use far less than their maximum.
  if (tokensPerMinute !== undefined && row.requests > 0 && Number(row.tokens) + tokens > tokensPerMinute)
    return Math.max(1, row.oldestMs ?? 1);
  return concurrency !== undefined && row.open >= concurrency ? concurrencyWaitMs : undefined;
}
