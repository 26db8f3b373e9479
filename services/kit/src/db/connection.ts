// A connection of the pool for one piece of work. It returns to the pool only when PostgreSQL has said that no transaction is
// open on it, and when no cancellation was sent: otherwise it is closed.

import type { Socket } from "node:net";
import type { Pool, PoolClient } from "pg";
import { monotonicMs } from "../clock.ts";
import type { Call } from "../rpc/call.ts";
import { Cancellation } from "./cancellation.ts";

/** A cancelled statement ends within milliseconds. If it does not, nobody is there: a machine that is lost closes no connection. */
const unansweredMs = 5_000;
/** A commit may wait for a standby, and is never cancelled. */
const uncommittedMs = 30_000;

export interface Limits {
  readonly deadlineMs: number;
  /** The longest that the work takes once it has a connection, whatever the deadline. */
  readonly timeoutMs?: number;
  /** Ends the work when it is aborted. */
  readonly call?: Call | undefined;
}

/**
 * Runs `work`, which awaits all its statements, until `endMs` at the latest: then they are cancelled. It calls `committing`
 * before it sends what commits: from then on nothing is. A transaction that it leaves open is rolled back.
 */
export async function withConnection<T>(
  pool: Pool,
  { deadlineMs, timeoutMs = Number.POSITIVE_INFINITY, call }: Limits,
  work: (client: PoolClient, endMs: number, committing: () => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const endMs = Math.min(deadlineMs, monotonicMs() + timeoutMs);
  const cancellation = new Cancellation(client, endMs, call);
  const giveUpAfter = (ms: number) =>
    setTimeout(() => socketOf(client).destroy(), Math.max(0, endMs - monotonicMs()) + ms);
  let givingUp = giveUpAfter(unansweredMs);
  const committing = () => {
    cancellation.end();
    clearTimeout(givingUp);
    givingUp = giveUpAfter(uncommittedMs);
  };
  try {
    return await work(client, endMs, committing);
  } finally {
    const isCanceled = await cancellation.stop();
    if (!isIdle(client)) await client.query("ROLLBACK").catch(() => undefined);
    clearTimeout(givingUp);
    // A late cancellation would hit the connection's next user.
    client.release(isCanceled || !isIdle(client));
  }
}

/** By PostgreSQL's last answer. */
function isIdle(client: PoolClient): boolean {
  return client.getTransactionStatus() === "I";
}

/** Its types leave it out. */
function socketOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
