// Several reads of one snapshot (REPEATABLE READ). They may take long, so they are cancelled in PostgreSQL when their call's
// deadline passes or its caller disconnects.

import type { Pool, PoolClient, QueryResultRow } from "pg";
import { deadlineExceeded } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { cancelStatement } from "./cancellation.ts";

/** A statement without a name: PostgreSQL plans it for its values. */
export interface UnnamedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The rows of a statement. Several may run at once. */
export type Read = <Row extends QueryResultRow>(statement: UnnamedStatement) => Promise<Row[]>;

/** Runs `work` in the transaction that `begin` opens on behalf of the call's tenant. */
export async function snapshot<T>(
  pool: Pool,
  call: Call,
  begin: (client: PoolClient) => Promise<unknown>[],
  work: (read: Read) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let canceled: Promise<void> | undefined;
  const onAbort = () => {
    canceled = cancelStatement(pool, client);
  };
  call.signal.addEventListener("abort", onAbort);
  const running: Promise<unknown>[] = [];
  const run = <P extends Promise<unknown>>(...promises: P[]): void => {
    running.push(...promises);
    // All are awaited in the end; meanwhile a failure must not count as an unhandled rejection.
    for (const promise of promises) promise.catch(() => undefined);
  };
  try {
    call.signal.throwIfAborted();
    run(...begin(client));
    const answer = await work(async (statement) => {
      call.signal.throwIfAborted();
      if (call.deadlineMs <= Date.now()) throw deadlineExceeded();
      const result = client.query(statement.text, [...statement.values]);
      run(result);
      // The statement's text determines the columns; the caller states their types.
      return (await result).rows;
    });
    run(client.query("COMMIT"));
    await Promise.all(running);
    return answer;
  } catch (error) {
    await Promise.allSettled(running);
    await client.query("ROLLBACK").catch(() => undefined);
    // After an abort, the statement's own error only says that it was cancelled.
    throw call.signal.aborted ? call.signal.reason : error;
  } finally {
    call.signal.removeEventListener("abort", onAbort);
    await canceled;
    // A late cancellation must not hit the connection's next user.
    client.release(canceled !== undefined);
  }
}
