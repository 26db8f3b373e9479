// A pool connection for one piece of work. It returns to the pool only if PostgreSQL has confirmed that no transaction
// is open and no cancellation was sent; otherwise it is closed.

import type { Socket } from "node:net";
import type { Pool, PoolClient } from "pg";
import { monotonicMs } from "../clock.ts";
import type { Call } from "../rpc/call.ts";
import { Cancellation } from "./cancellation.ts";

/**
 * A cancelled statement ends within milliseconds. After this time, PostgreSQL's machine is considered lost: a lost
 * machine closes no connection.
 */
const unansweredMs = 5_000;
/** Longer limit for the commit, which may wait for a standby and is never cancelled. */
const uncommittedMs = 30_000;

export interface Limits {
  readonly deadlineMs: number;
  /** Maximum duration of the work once it has a connection, whatever the deadline. */
  readonly timeoutMs?: number;
  /** Ends the work when the call is aborted. */
  readonly call?: Call | undefined;
}

/**
 * Runs `work`, which awaits all its statements; at `endMs` they are cancelled. `work` calls `committing` before it
 * sends the commit; from then on nothing is cancelled. A transaction that it leaves open is rolled back.
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
    setTimeout(() => getSocket(client).destroy(), Math.max(0, endMs - monotonicMs()) + ms);
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
    // Close a connection after a cancellation, which may arrive late and affect the connection's next user.
    client.release(isCanceled || !isIdle(client));
  }
}

/** Returns true if PostgreSQL's last response said that no transaction is open. */
function isIdle(client: PoolClient): boolean {
  return client.getTransactionStatus() === "I";
}

/** Returns the socket, which the types of pg omit. */
function getSocket(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
