// The only way from a handler to rows. Every statement runs in a transaction that first says on whose behalf: row-level
// security lets through what belongs to that tenant, and nothing when nobody is named.

import type { Socket } from "node:net";
import type { PoolClient, QueryResultRow } from "pg";
import type { DataSource, EntityManager } from "typeorm";
import { hasPublished } from "../events/publish.ts";
import type { Call } from "../rpc/call.ts";
import { measured } from "../telemetry/database.ts";
import { poolOf } from "./data-source.ts";
import { hasGivenWay } from "./errors.ts";
import { once, type Repeat } from "./idempotency.ts";
import { outliveLostConnections } from "./lost-connections.ts";
import { type Read, snapshot } from "./snapshot.ts";

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

export class Database {
  readonly #dataSource: DataSource;
  readonly #onPublished: () => void;

  /** `onPublished` is called after each commit of a transaction in which something was published. `dataSource` is open. */
  constructor(dataSource: DataSource, onPublished: () => void = () => undefined) {
    this.#dataSource = dataSource;
    this.#onPublished = onPublished;
    outliveLostConnections(poolOf(dataSource));
  }

  /** Runs `work` in one transaction on behalf of the call's tenant; all of it happens or nothing. */
  withTenant<T>(call: Call, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.withScope(call.tenant, call.deadlineMs, work);
  }

  /**
   * What an RPC that changes something does: `work` runs in one transaction on behalf of the call's tenant, and what it
   * answers is the RPC's answer. A call with an idempotency key has one effect, however often it comes (idempotency.ts);
   * with `repeat` the answer is not kept, and a repeat is answered as that says.
   */
  change<Answer>(
    call: Call,
    work: (manager: EntityManager) => Promise<Answer>,
    repeat?: Repeat<Answer>,
  ): Promise<Answer> {
    const { idempotency, tenant } = call;
    if (idempotency === undefined) return this.withTenant(call, work);
    const schema = this.#schema;
    return this.withTenant(call, (manager) => once({ manager, schema, tenant, idempotency, repeat }, work));
  }

  /** As `withTenant`, for the few calls that have no tenant yet. */
  withScope<T>(scope: Scope, deadlineMs: number, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return measured(this.#schema, "transaction", () => this.#withScope(scope, deadlineMs, work));
  }

  async #withScope<T>(scope: Scope, deadlineMs: number, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.#dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(scopeStatement.text, scopeValues(scope, deadlineMs));
      const result = await work(runner.manager);
      await runner.commitTransaction();
      if (hasPublished(runner)) this.#onPublished();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** The rows of one statement on behalf of the call's tenant. */
  read<Row extends QueryResultRow>(call: Call, statement: Statement): Promise<Row[]> {
    return this.readScoped<Row>(call.tenant, call.deadlineMs, statement);
  }

  /** As `read`, for the few calls that have no tenant yet. */
  async readScoped<Row extends QueryResultRow>(scope: Scope, deadlineMs: number, statement: Statement): Promise<Row[]> {
    const [rows] = await this.#readAll(scope, deadlineMs, [statement]);
    // A statement's columns are what its text says; the caller names their types beside it.
    return rows as Row[];
  }

  /** The rows of several statements that see the same state of the data. */
  readAll(call: Call, statements: readonly Statement[]): Promise<QueryResultRow[][]> {
    return this.#readAll(call.tenant, call.deadlineMs, statements);
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
    const read = () => measured(this.#schema, "snapshot", () => snapshot(pool, call, begin, work));
    return read().catch((error: unknown) => {
      if (!hasGivenWay(error)) throw error;
      return read();
    });
  }

  #readAll(scope: Scope, deadlineMs: number, statements: readonly Statement[]): Promise<QueryResultRow[][]> {
    return measured(this.#schema, "read", () => this.#pipelined(scope, deadlineMs, statements));
  }

  /** Transaction, scope, statements and commit travel in one round trip: pg pipelines them on the connection. */
  async #pipelined(scope: Scope, deadlineMs: number, statements: readonly Statement[]): Promise<QueryResultRow[][]> {
    const client = await poolOf(this.#dataSource).connect();
    let broken: unknown;
    // Held back until all is queued: one write to the socket instead of one a statement.
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    try {
      const begun = client.query(
        statements.length > 1 ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN READ ONLY",
      );
      const scoped = client.query({ ...scopeStatement, values: scopeValues(scope, deadlineMs) });
      const results = statements.map((statement) => client.query<QueryResultRow>(statement));
      const ended = client.query("COMMIT");
      // All are awaited, whichever fails: the connection goes back with nothing in flight.
      const settled = await Promise.allSettled([begun, scoped, ...results, ended]);
      broken = settled.find((one) => one.status === "rejected")?.reason;
      if (broken !== undefined) throw broken;
      return await Promise.all(results.map(async (result) => (await result).rows));
    } finally {
      release(client, broken);
    }
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
  const leftMs = Math.max(1, Math.ceil(deadlineMs - Date.now()));
  return [scope.applicationId ?? "", scope.orgId ?? "", scope.apiKeyDigest ?? "", String(leftMs)];
}
