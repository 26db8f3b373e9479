import type { QueryResultRow } from "pg";
import type { DataSource } from "typeorm";
import { monotonicMs } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { Statement, StatementResult } from "./batch.ts";
import { serviceDataSource } from "./data-source.ts";
import { Database } from "./database.ts";
import type { Schema } from "./schema.ts";
import type { Transaction } from "./transaction.ts";

export interface RelayDatabaseOptions {
  /** The service's schema; entities only if `Transaction` builds statements for them. */
  readonly schema: Pick<Schema, "name"> & Partial<Pick<Schema, "entities">>;
  /** Database URL for the service's relay role. */
  readonly url: string;
  readonly poolMax: number;
  readonly log: Logger;
}

/** A statement whose values are optional. */
export type RelayStatement = Omit<Statement, "values"> & Partial<Pick<Statement, "values">>;

/** Maximum duration of a statement or transaction, in milliseconds. */
const timeoutMs = 30_000;
/** Queues are read by key or in index order: a plan made for few rows must not scan many. */
const planner = { enable_seqscan: "off", enable_bitmapscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" };
/** Plans are kept only briefly: a plan made for an empty table may use any index instead of the key's. */
const planMs = 1_000;

/**
 * The database as the service's relay role, which row-level security lets read every application's events and jobs.
 * Work for one application uses the service's `Database`. Connects at the first statement.
 */
export class RelayDatabase {
  readonly #dataSource: DataSource;
  #opening: Promise<Database> | undefined;

  constructor({ schema: { name, entities = [] }, url, poolMax, log }: RelayDatabaseOptions) {
    const schema = { name, entities, migrations: [] };
    this.#dataSource = serviceDataSource({
      url,
      poolMax,
      schema,
      log,
      applicationName: "ems-relay",
      settings: planner,
    });
  }

  /** Reads the rows of a statement, as its own transaction in one round trip. */
  async query<Row extends QueryResultRow>(statement: RelayStatement): Promise<Row[]> {
    // The statement's text determines the columns; the caller declares their types.
    const [result] = await this.batch([statement]);
    return (result?.rows ?? []) as Row[];
  }

  /** Like `query`; returns the number of changed rows. */
  async change(statement: RelayStatement): Promise<number> {
    const [result] = await this.batch([statement]);
    return result?.rowCount ?? 0;
  }

  /** Runs several statements as one transaction in one round trip. */
  async batch(statements: readonly RelayStatement[]): Promise<StatementResult[]> {
    const database = await this.#open();
    const withValues = statements.map((statement) => ({ values: [], ...statement }));
    return database.execute({}, monotonicMs() + timeoutMs, withValues);
  }

  /** Runs `work` in one transaction, which ends within `limitMs`. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, limitMs = timeoutMs): Promise<T> {
    const database = await this.#open();
    return database.withScope({}, monotonicMs() + limitMs, work);
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    if (this.#dataSource.isInitialized) await this.#dataSource.destroy();
  }

  #open(): Promise<Database> {
    this.#opening ??= this.#dataSource.initialize().then(
      (dataSource) => new Database(dataSource, { waitingMax: Number.POSITIVE_INFINITY, planMs }),
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }
}
