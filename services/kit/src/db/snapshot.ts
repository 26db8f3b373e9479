// Dependent reads in one snapshot (REPEATABLE READ). They may take long, so they are cancelled in PostgreSQL at their
// call's deadline, or if its caller disconnects.

import type { Pool, QueryResultRow } from "pg";
import { monotonicMs } from "../clock.ts";
import { deadlineExceeded } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { withConnection } from "./connection.ts";
import { PipelinedTransaction } from "./pipelined-transaction.ts";
import { beginSnapshot } from "./read.ts";
import { readScopeStatements, settingsStatement } from "./scope.ts";

/** A statement without a name, so that PostgreSQL plans it for its values. */
export interface UnnamedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Reads the rows of a statement. Statements requested together take one round trip. */
export type Read = <Row extends QueryResultRow>(statement: UnnamedStatement) => Promise<Row[]>;

/** Runs `work` for the call's tenant, with PostgreSQL settings. */
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
    const buildSettings = () => [...readScopeStatements(client, call.tenant, endMs), settingsStatement(settings)];
    const pipeline = new PipelinedTransaction(client, beginSnapshot, buildSettings);
    const read = async <Row extends QueryResultRow>(statement: UnnamedStatement) => {
      assertInTime();
      const { rows } = await pipeline.run(statement);
      // The statement's text determines the columns; the caller declares their types.
      return rows as Row[];
    };
    return pipeline
      .complete(() => work(read))
      .catch((error: unknown) => {
        // After an abort, the statement's error only reports its cancellation.
        throw call.signal.aborted ? call.signal.reason : error;
      });
  });
}
