// Reads that build on each other and see one state of the data. They may take long, so they end with the call that they
// are for: when its deadline passes or its caller goes, PostgreSQL is told to stop.

import type { Pool, PoolClient, QueryResultRow } from "pg";
import { deadlineExceeded } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { cancelStatement } from "./ending.ts";

/** A statement that is planned for its very values: it has no name under which a plan would be kept. */
export interface UnnamedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The rows of a statement. Several may be asked for at once. */
export type Read = <Row extends QueryResultRow>(statement: UnnamedStatement) => Promise<Row[]>;

/** `begin` opens the transaction on behalf of the call's tenant. */
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
    // All are awaited in the end; until then none that fails is to be taken for one that nobody looks at.
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
      // A statement's columns are what its text says; the caller names their types beside it.
      return (await result).rows;
    });
    run(client.query("COMMIT"));
    await Promise.all(running);
    return answer;
  } catch (error) {
    await Promise.allSettled(running);
    await client.query("ROLLBACK").catch(() => undefined);
    // What the statement died of is that nobody waits for it any more.
    throw call.signal.aborted ? call.signal.reason : error;
  } finally {
    call.signal.removeEventListener("abort", onAbort);
    await canceled;
    // A late cancellation must not hit whoever would have the connection next.
    client.release(canceled !== undefined);
  }
}
