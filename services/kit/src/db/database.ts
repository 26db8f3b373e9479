// Runs all statements of handlers, in transactions with the tenant's scope, which row-level security enforces.

import type { PoolClient, QueryResultRow } from "pg";
import type { DataSource } from "typeorm";
import type { Call } from "../rpc/call.ts";
import { measure, type Operation } from "../telemetry/database.ts";
import { type Statement, type StatementResult, sendBatch } from "./batch.ts";
import { withConnection } from "./connection.ts";
import { ConnectionConcurrencyLimiter } from "./connection-concurrency.ts";
import { surviveConnectionLoss } from "./connection-loss.ts";
import { getPool } from "./data-source.ts";
import { isRetryable } from "./errors.ts";
import { type ReplayPolicy, runIdempotent } from "./idempotency.ts";
import { PipelinedTransaction } from "./pipelined-transaction.ts";
import { readBatch } from "./read.ts";
import { type Scope, scopeStatements } from "./scope.ts";
import { type Read, snapshot } from "./snapshot.ts";
import { EntityTransaction, type Transaction } from "./transaction.ts";

export type { Statement } from "./batch.ts";

export interface DatabaseOptions {
  /** Called after each commit of a transaction that published events. */
  readonly onPublished?: (() => void) | undefined;
  /** Maximum duration of a read, whatever its caller's deadline; snapshots have the whole deadline. */
  readonly readMs?: number;
  /** Maximum requests of one application that wait for a connection. */
  readonly waitingMax?: number;
  /** Maximum age of a plan that `execute` uses; PostgreSQL itself replans only after the table was analyzed. */
  readonly planMs?: number;
}

const discardPlans: Statement = { name: "ems-discard-plans", text: "DISCARD PLANS", values: [] };
const begin: Statement = { name: "ems-begin", text: "BEGIN", values: [] };

/** Scope and deadline of a transaction. */
interface Context {
  readonly scope: Scope;
  readonly deadlineMs: number;
  readonly call?: Call;
  /** True if the transaction commits only after the work has ended. */
  readonly staysOpen?: boolean;
}

export class Database {
  readonly #dataSource: DataSource;
  readonly #onPublished: () => void;
  readonly #readMs: number;
  readonly #limiter: ConnectionConcurrencyLimiter;
  readonly #planMs: number;
  /** Time at which a connection's plans were created. */
  readonly #plannedMs = new WeakMap<PoolClient, number>();

  /** `dataSource` must be open. */
  constructor(
    dataSource: DataSource,
    {
      onPublished = () => undefined,
      readMs = 5_000,
      waitingMax = 100,
      planMs = Number.POSITIVE_INFINITY,
    }: DatabaseOptions = {},
  ) {
    this.#dataSource = dataSource;
    this.#onPublished = onPublished;
    this.#readMs = readMs;
    this.#planMs = planMs;
    const pool = getPool(dataSource);
    this.#limiter = new ConnectionConcurrencyLimiter(pool.options.max, waitingMax);
    surviveConnectionLoss(pool);
  }

  /** Number of requests that wait for a connection. */
  get waiting(): number {
    return this.#limiter.waiting;
  }

  /**
   * Runs a change and returns its RPC's response: one transaction for the call's tenant. With an idempotency key,
   * retries have no further effect; `policy` defines the replay if the response must not be stored.
   */
  change<Answer>(
    call: Call,
    work: (tx: Transaction) => Promise<Answer>,
    policy?: ReplayPolicy<Answer>,
  ): Promise<Answer> {
    const { idempotency, tenant } = call;
    if (idempotency === undefined) return this.withTenant(call, work);
    const schema = this.#schema;
    const idempotentWork = (tx: Transaction) => runIdempotent({ tx, schema, tenant, idempotency, policy }, work);
    return this.#transaction({ ...toContext(call), staysOpen: true }, idempotentWork);
  }

  /**
   * Like `change`, with the result of `check`, which runs before the transaction. A used idempotency key is reported as
   * such, even if `check` fails for this or another request.
   */
  async changeAfter<Found, Answer>(
    call: Call,
    check: () => Promise<Found>,
    work: (tx: Transaction, found: Found) => Promise<Answer>,
  ): Promise<Answer> {
    if (call.idempotency === undefined) {
      const found = await check();
      return this.change(call, (tx) => work(tx, found));
    }
    const outcome = await check().then(
      (found) => (tx: Transaction) => work(tx, found),
      (error: unknown) => () => Promise.reject(error),
    );
    return this.change(call, outcome);
  }

  /** Runs `work` in one transaction for the call's tenant. */
  withTenant<T>(call: Call, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transaction(toContext(call), work);
  }

  /** Like `withTenant`, for calls and jobs without a tenant's call. */
  withScope<T>(scope: Scope, deadlineMs: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transaction({ scope, deadlineMs }, work);
  }

  /** Reads the rows of one statement for the call's tenant. */
  async read<Row extends QueryResultRow>(call: Call, statement: Statement): Promise<Row[]> {
    const [rows] = await this.readAll(call, [statement]);
    // The statement's text determines the columns; the caller declares their types.
    return rows as Row[];
  }

  /** Reads the rows of several statements in one snapshot. */
  readAll(call: Call, statements: readonly Statement[]): Promise<QueryResultRow[][]> {
    return this.#read(toContext(call), statements);
  }

  /** Like `read`, for calls without a tenant. */
  async readScoped<Row extends QueryResultRow>(scope: Scope, deadlineMs: number, statement: Statement): Promise<Row[]> {
    const [rows] = await this.#read({ scope, deadlineMs }, [statement]);
    return rows as Row[];
  }

  /** Runs statements, which may change rows, as one transaction in one round trip. */
  execute(scope: Scope, deadlineMs: number, statements: readonly Statement[]): Promise<StatementResult[]> {
    const pool = getPool(this.#dataSource);
    const send = () =>
      withConnection(pool, { deadlineMs }, async (client, endMs, committing) => {
        const opening = [...this.#discardPlans(client), ...scopeStatements(client, scope, endMs)];
        committing();
        const results = await sendBatch(client, [...opening, ...statements]);
        return results.slice(-statements.length);
      });
    return this.#measure("transaction", () => this.#limiter.run(scope, undefined, send));
  }

  /** Limits the concurrency of expensive `work`, such as a search or thousands of rows. */
  runExpensive<T>(call: Call, work: () => Promise<T>): Promise<T> {
    return this.#limiter.runExpensive(call, work);
  }

  /**
   * Runs dependent reads in one snapshot, with PostgreSQL settings such as `{ work_mem: "64MB" }`. Retried once if
   * PostgreSQL cancels the snapshot, as a standby does.
   */
  snapshot<T>(call: Call, settings: Readonly<Record<string, string>>, work: (read: Read) => Promise<T>): Promise<T> {
    const pool = getPool(this.#dataSource);
    const read = () =>
      this.#measure("snapshot", () => this.#limiter.run(call.tenant, call, () => snapshot(pool, call, settings, work)));
    return read().catch((error: unknown) => {
      if (!isRetryable(error)) throw error;
      return read();
    });
  }

  #read({ scope, deadlineMs, call }: Context, statements: readonly Statement[]): Promise<QueryResultRow[][]> {
    const pool = getPool(this.#dataSource);
    const limits = { deadlineMs, timeoutMs: this.#readMs, call };
    return this.#measure("read", () =>
      this.#limiter.run(scope, call, () => readBatch(pool, scope, limits, statements)),
    );
  }

  #transaction<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#measure("transaction", () =>
      this.#limiter.runTransaction(context.scope, context.call, () => this.#inTransaction(context, work)),
    );
  }

  async #inTransaction<T>(
    { scope, deadlineMs, call, staysOpen = false }: Context,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const [result, wakesRelay] = await withConnection(
      getPool(this.#dataSource),
      { deadlineMs },
      async (client, endMs, committing) => {
        const settings = () => scopeStatements(client, scope, endMs, getActor(call));
        const pipeline = new PipelinedTransaction(client, begin, settings, committing);
        const tx = new EntityTransaction(pipeline, this.#dataSource, staysOpen);
        return [await pipeline.complete(() => work(tx)), tx.wakesRelay] as const;
      },
    );
    if (wakesRelay) this.#onPublished();
    return result;
  }

  /** Discards the connection's cached plans if they are old. */
  #discardPlans(client: PoolClient): Statement[] {
    const nowMs = performance.now();
    if (nowMs - (this.#plannedMs.get(client) ?? nowMs) <= this.#planMs) {
      if (!this.#plannedMs.has(client)) this.#plannedMs.set(client, nowMs);
      return [];
    }
    this.#plannedMs.set(client, nowMs);
    return [discardPlans];
  }

  #measure<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    return measure(this.#schema, operation, work);
  }

  get #schema(): string {
    return String(this.#dataSource.driver.schema);
  }
}

/** Returns the audit log's actor (audit-schema.ts): the request's key or platform caller; empty in background. */
function getActor(call: Call | undefined): string {
  if (call?.actor === undefined) return "";
  const { actor, requestId, tenant } = call;
  return JSON.stringify({ ...actor, userId: tenant.userId, requestId });
}

function toContext(call: Call): Context {
  return { scope: call.tenant, deadlineMs: call.deadlineMs, call };
}
