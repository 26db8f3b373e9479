import type { Socket } from "node:net";
import type { Pool, PoolClient, QueryResultRow } from "pg";
import type { Call } from "../rpc/call.ts";
import { Cancellation } from "./cancellation.ts";
import { type Scope, scopeStatement } from "./scope.ts";

/** One SQL statement of a read, with its values. */
export interface Statement {
  /**
   * Prepares the statement under this name, unique for the text within the service. Left out when the text has many forms
   * or its plan depends on the values.
   */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

export interface ReadOptions {
  readonly scope: Scope;
  readonly callDeadlineMs: number;
  readonly timeoutMs: number;
  readonly call: Call | undefined;
}

/** The rows of each statement, all of one snapshot. Transaction, scope, statements and commit take one round trip. */
export async function pipelinedRead(
  pool: Pool,
  statements: readonly Statement[],
  { scope, callDeadlineMs, timeoutMs, call }: ReadOptions,
): Promise<QueryResultRow[][]> {
  const client = await pool.connect();
  const deadlineMs = Math.min(callDeadlineMs, Date.now() + timeoutMs);
  const cancellation = new Cancellation(pool, client, deadlineMs, call);
  let error: unknown;
  corkUntilQueued(client);
  try {
    const begin = client.query(
      statements.length > 1 ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN READ ONLY",
    );
    const scoped = client.query(scopeStatement(scope, deadlineMs));
    const results = statements.map((statement) => client.query<QueryResultRow>(statement));
    const commit = client.query("COMMIT");
    // All are awaited, whichever fails: nothing is in flight when the connection returns to the pool.
    const settled = await Promise.allSettled([begin, scoped, ...results, commit]);
    error = settled.find((one) => one.status === "rejected")?.reason;
    if (error !== undefined) throw error;
    return await Promise.all(results.map(async (result) => (await result).rows));
  } finally {
    const isCanceled = await cancellation.stop();
    // Destroyed after a cancellation, which may arrive late, and when its transaction's end is unknown.
    const isLost = error instanceof Error && !("severity" in error);
    client.release(isCanceled || isLost);
  }
}

/** One write to the socket for all statements of this tick. */
function corkUntilQueued(client: PoolClient): void {
  // `pg` documents the connection's stream, and its types leave it out.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
