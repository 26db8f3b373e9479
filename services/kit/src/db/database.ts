// The only way from a handler to rows. Every statement runs in a transaction that first says on whose behalf: row-level
// security lets through what belongs to that tenant, and nothing when nobody is named.

import type { Socket } from "node:net";
import type { PoolClient, QueryResultRow } from "pg";
import type { DataSource } from "typeorm";
import type { Call } from "../rpc/call.ts";
import { measure, type Operation } from "../telemetry/database.ts";
import { ConnectionShares } from "./connection-shares.ts";
import { poolOf } from "./data-source.ts";
import { Ending } from "./ending.ts";
import { hasGivenWay } from "./errors.ts";
import { once, type Repeat } from "./idempotency.ts";
import { outliveLostConnections } from "./lost-connections.ts";
import { type Read, snapshot } from "./snapshot.ts";
import { RunnerTransaction, type Transaction } from "./transaction.ts";

/** One SQL statement of a read, with its values. */
export interface Statement {
  /**
   * Unique for the text within the service: PostgreSQL keeps the plan under it. Left out when the text has many forms, or
   * its plan hangs on the values: it is then planned each time, for these very values.
   */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Whose rows a transaction may see: settings that the row-level security policies look at. */
export interface Scope {
  readonly applicationId?: string;
  readonly orgId?: string;
  /** Possession of a key's digest gives access to that one key (identity's Authenticate). */
  readonly apiKeyDigest?: string;
}

const scopeStatement = {
  name: "ems-scope",
  text: `SELECT set_config('ems.application_id', $1, true), set_config('ems.org_id', $2, true),
    set_config('ems.api_key_digest', $3, true), set_config('statement_timeout', $4, true)`,
};

const settingsStatement = {
  name: "ems-settings",
  text: "SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) setting (name, value)",
};

export interface DatabaseOptions {
  /** Called after each commit of a transaction in which something was published. */
  readonly onPublished?: (() => void) | undefined;
  /** How long a read may take, whatever its caller's deadline; a snapshot may take all of that. */
  readonly readMs?: number;
  /** How many of one application may wait for a connection. */
  readonly waitingMax?: number;
}

/** What a transaction is for. */
interface Work {
  readonly scope: Scope;
  readonly deadlineMs: number;
  readonly call?: Call;
}

export class Database {
  readonly #dataSource: DataSource;
  readonly #onPublished: () => void;
  readonly #readMs: number;
  readonly #shares: ConnectionShares;

  /** `dataSource` is open. */
  constructor(
    dataSource: DataSource,
    { onPublished = () => undefined, readMs = 5_000, waitingMax = 100 }: DatabaseOptions = {},
  ) {
    this.#dataSource = dataSource;
    this.#onPublished = onPublished;
    this.#readMs = readMs;
    const pool = poolOf(dataSource);
    this.#shares = new ConnectionShares(pool.options.max, waitingMax);
    outliveLostConnections(pool);
  }

  /** How many wait for their share of the connections. */
  get waiting(): number {
    return this.#shares.waiting;
  }

  /** Runs `work` in one transaction on behalf of the call's tenant; all of it happens or nothing. */
  withTenant<T>(call: Call, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transaction({ scope: call.tenant, deadlineMs: call.deadlineMs, call }, work);
  }

  /**
   * What an RPC that changes something does: `work` runs in one transaction on behalf of the call's tenant, and what it
   * answers is the RPC's answer. A call with an idempotency key has one effect, however often it comes (idempotency.ts);
   * with `repeat` the answer is not kept, and a repeat is answered as that says.
   */
  change<Answer>(call: Call, work: (tx: Transaction) => Promise<Answer>, repeat?: Repeat<Answer>): Promise<Answer> {
    const { idempotency, tenant } = call;
    if (idempotency === undefined) return this.withTenant(call, work);
    const schema = this.#schema;
    return this.withTenant(call, (tx) => once({ tx, schema, tenant, idempotency, repeat }, work));
  }

  /** As `withTenant`, for the few calls that have no tenant yet. */
  withScope<T>(scope: Scope, deadlineMs: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transaction({ scope, deadlineMs }, work);
  }

  #transaction<T>(on: Work, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#measured("transaction", () =>
      this.#shares.runTransaction(on.scope, on.call, () => this.#inTransaction(on, work)),
    );
  }

  async #inTransaction<T>({ scope, deadlineMs }: Work, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const runner = this.#dataSource.createQueryRunner();
    let ending: Ending | undefined;
    try {
      // TypeORM's word for it is `any`; for "postgres" it is a connection of the pool.
      const client: PoolClient = await runner.connect();
      ending = new Ending(poolOf(this.#dataSource), client, deadlineMs);
      await runner.startTransaction();
      await runner.query(scopeStatement.text, scopeValues(scope, deadlineMs));
      const tx = new RunnerTransaction(runner);
      const result = await work(tx);
      await runner.commitTransaction();
      // A cancellation that came after the end must not hit whoever has the connection next.
      if (await ending.stop()) await runner.query("SELECT 1").catch(() => undefined);
      if (tx.wakesRelay) this.#onPublished();
      return result;
    } catch (error) {
      await ending?.stop();
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** The rows of one statement on behalf of the call's tenant. */
  async read<Row extends QueryResultRow>(call: Call, statement: Statement): Promise<Row[]> {
    const [rows] = await this.readAll(call, [statement]);
    // A statement's columns are what its text says; the caller names their types beside it.
    return rows as Row[];
  }

  /**
   * Runs `work`, which takes PostgreSQL long, such as a search or rows by the thousand: of one application fewer of these are at
   * work at a time than it has connections, since cores are fewer than those.
   */
  heavy<T>(call: Call, work: () => Promise<T>): Promise<T> {
    return this.#shares.heavy(call, work);
  }

  /** As `read`, for the few calls that have no tenant yet. */
  async readScoped<Row extends QueryResultRow>(scope: Scope, deadlineMs: number, statement: Statement): Promise<Row[]> {
    const [rows] = await this.#readAll({ scope, deadlineMs }, [statement]);
    return rows as Row[];
  }

  /** The rows of several statements that see the same state of the data. */
  readAll(call: Call, statements: readonly Statement[]): Promise<QueryResultRow[][]> {
    return this.#readAll({ scope: call.tenant, deadlineMs: call.deadlineMs, call }, statements);
  }

  /**
   * Reads that build on each other and see one state of the data, ended in PostgreSQL when the call ends. `settings` are
   * of PostgreSQL, for this transaction only, such as `{ work_mem: "64MB" }`. A read that had to give way
   * (a standby cannot keep a state for ever) is made once more, of the next.
   */
  snapshot<T>(call: Call, settings: Readonly<Record<string, string>>, work: (read: Read) => Promise<T>): Promise<T> {
    const begin = (client: PoolClient) => [
      client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
      client.query({ ...scopeStatement, values: scopeValues(call.tenant, call.deadlineMs) }),
      client.query({ ...settingsStatement, values: [Object.keys(settings), Object.values(settings)] }),
    ];
    const pool = poolOf(this.#dataSource);
    const read = () =>
      this.#measured("snapshot", () => this.#shares.run(call.tenant, call, () => snapshot(pool, call, begin, work)));
    return read().catch((error: unknown) => {
      if (!hasGivenWay(error)) throw error;
      return read();
    });
  }

  #readAll(on: Work, statements: readonly Statement[]): Promise<QueryResultRow[][]> {
    return this.#measured("read", () => this.#shares.run(on.scope, on.call, () => this.#pipelined(on, statements)));
  }

  /** Transaction, scope, statements and commit travel in one round trip: pg pipelines them on the connection. */
  async #pipelined({ scope, deadlineMs, call }: Work, statements: readonly Statement[]): Promise<QueryResultRow[][]> {
    const pool = poolOf(this.#dataSource);
    const client = await pool.connect();
    const untilMs = Math.min(deadlineMs, Date.now() + this.#readMs);
    const ending = new Ending(pool, client, untilMs, call);
    let broken: unknown;
    // Held back until all is queued: one write to the socket instead of one a statement.
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    try {
      const begun = client.query(
        statements.length > 1 ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN READ ONLY",
      );
      const scoped = client.query({ ...scopeStatement, values: scopeValues(scope, untilMs) });
      const results = statements.map((statement) => client.query<QueryResultRow>(statement));
      const ended = client.query("COMMIT");
      // All are awaited, whichever fails: the connection goes back with nothing in flight.
      const settled = await Promise.allSettled([begun, scoped, ...results, ended]);
      broken = settled.find((one) => one.status === "rejected")?.reason;
      if (broken !== undefined) throw broken;
      return await Promise.all(results.map(async (result) => (await result).rows));
    } finally {
      const isCanceled = await ending.stop();
      // A late cancellation must not hit whoever would have the connection next.
      if (isCanceled) client.release(true);
      else release(client, broken);
    }
  }

  #measured<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    return measure(this.#schema, operation, work);
  }

  get #schema(): string {
    return String(this.#dataSource.driver.schema);
  }
}

/** A connection whose transaction ended in doubt is thrown away, never handed on. */
function release(client: PoolClient, broken: unknown): void {
  const lost = broken instanceof Error && !("severity" in broken);
  client.release(lost);
}

function scopeValues(scope: Scope, deadlineMs: number): string[] {
  const remainingMs = Math.max(1, Math.ceil(deadlineMs - Date.now()));
  return [scope.applicationId ?? "", scope.orgId ?? "", scope.apiKeyDigest ?? "", String(remainingMs)];
}
