// Dependent reads of one snapshot (REPEATABLE READ). They may take long, so they are cancelled in PostgreSQL when their call's
// deadline passes or its caller disconnects.

import type { Pool, QueryResultRow } from "pg";
import { monotonicMs } from "../clock.ts";
import { deadlineExceeded } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { withConnection } from "./connection.ts";
import { PipelinedTransaction } from "./pipelined-transaction.ts";
import { beginSnapshot } from "./read.ts";
import { readScopeStatements, settingsStatement } from "./scope.ts";

/** A statement without a name: PostgreSQL plans it for its values. */
export interface UnnamedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The rows of a statement. Those asked for at once take one round trip. */
export type Read = <Row extends QueryResultRow>(statement: UnnamedStatement) => Promise<Row[]>;

/** Runs `work` on behalf of the call's tenant, with settings of PostgreSQL. */
export function snapshot<T>(
  pool: Pool,
  call: Call,
  settings: Readonly<Record<string, string>>,
  work: (read: Read) => Promise<T>,
): Promise<T> {
  const assertInTime = () => {
    call.signal.throwIfAborted();
    if (call.deadlineMs <= monotonicMs()) throw deadlineExceeded();
  };
  return withConnection(pool, { deadlineMs: call.deadlineMs, call }, async (client, endMs) => {
    const settingsOf = () => [...readScopeStatements(client, call.tenant, endMs), settingsStatement(settings)];
    const pipeline = new PipelinedTransaction(client, beginSnapshot, settingsOf);
    const read = async <Row extends QueryResultRow>(statement: UnnamedStatement) => {
      assertInTime();
      const { rows } = await pipeline.run(statement);
      // The statement's text determines the columns; the caller states their types.
      return rows as Row[];
    };
    return pipeline
      .complete(() => work(read))
      .catch((error: unknown) => {
        // After an abort, the statement's own error only says that it was cancelled.
        throw call.signal.aborted ? call.signal.reason : error;
      });
  });
}
