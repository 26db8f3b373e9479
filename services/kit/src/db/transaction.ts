// What a handler does in a transaction. Writes whose result nobody awaits are deferred, so they take no round trip of their
// own; nothing of the mapper shows.

import type { DataSource, EntitySchema } from "typeorm";
import type { Statement } from "./batch.ts";
import {
  countStatement,
  deleteStatement,
  existsStatement,
  type FindOptions,
  findStatement,
  updateStatement,
  type Where,
} from "./entity-statements.ts";
import { insertStatement, type OnConflict } from "./insert.ts";
import type { PipelinedTransaction } from "./pipelined-transaction.ts";

/**
 * Statements that are asked for at once (`Promise.all`) take one round trip. What is deferred goes with the next of them, or
 * with the commit, in the order of the calls: its error is thrown there.
 */
export interface Transaction {
  /** The rows of a statement, whatever it does. */
  query<Row extends object>(statement: string | Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** A statement whose result nobody needs. */
  defer(statement: string | Statement, values?: readonly unknown[]): void;
  /** In one statement, however many rows; all give the same columns. Deferred. */
  insert<Row extends object>(
    entity: EntitySchema<Row>,
    rows: Partial<Row> | readonly Partial<Row>[],
    onConflict?: OnConflict<Row>,
  ): Promise<void>;
  /** As `insert`, at once; answers some properties of each row that was inserted or updated. */
  insertReturning<Row extends object, Property extends keyof Row>(
    entity: EntitySchema<Row>,
    rows: readonly Partial<Row>[],
    returning: readonly Property[],
    onConflict?: OnConflict<Row>,
  ): Promise<Pick<Row, Property>[]>;
  /** Answers how many rows there were to change. */
  update<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, change: Partial<Row>): Promise<number>;
  /** As `update`, deferred: for rows that are known to be there. */
  deferUpdate<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, change: Partial<Row>): void;
  /** Answers how many rows there were to delete. */
  delete<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<number>;
  /** As `delete`, deferred. */
  deferDelete<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): void;
  find<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, options?: FindOptions<Row>): Promise<Row[]>;
  findOne<Row extends object>(
    entity: EntitySchema<Row>,
    where: Where<Row>,
    options?: FindOptions<Row>,
  ): Promise<Row | null>;
  /** The row, which has to be there. */
  getOne<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, options?: FindOptions<Row>): Promise<Row>;
  exists<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<boolean>;
  count<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<number>;
  /**
   * The results of statements of this tick, the transaction's last ones, which travel with its commit. With an idempotency key
   * the commit comes later: what is stored for a repetition depends on the results.
   */
  commit<T>(results: Promise<T>): Promise<T>;
  /** Has the relay look for events once the transaction has been committed. */
  wakeRelay(): void;
}

/** A transaction that TypeORM makes the statements of, and not the round trips. */
export class EntityTransaction implements Transaction {
  readonly #pipeline: PipelinedTransaction;
  readonly #dataSource: DataSource;
  readonly #staysOpen: boolean;
  #wakesRelay = false;

  /** `staysOpen` until the work has ended, whatever it says. */
  constructor(pipeline: PipelinedTransaction, dataSource: DataSource, staysOpen: boolean) {
    this.#pipeline = pipeline;
    this.#dataSource = dataSource;
    this.#staysOpen = staysOpen;
  }

  get wakesRelay(): boolean {
    return this.#wakesRelay;
  }

  commit<T>(results: Promise<T>): Promise<T> {
    if (!this.#staysOpen) this.#pipeline.end();
    return results;
  }

  wakeRelay(): void {
    this.#wakesRelay = true;
  }

  async query<Row extends object>(statement: string | Statement, values?: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.#pipeline.run(statementOf(statement, values));
    // The statement's text determines the columns; the caller states their types.
    return rows as Row[];
  }

  defer(statement: string | Statement, values?: readonly unknown[]): void {
    this.#pipeline.defer(statementOf(statement, values));
  }

  async insert<Row extends object>(
    entity: EntitySchema<Row>,
    rows: Partial<Row> | readonly Partial<Row>[],
    onConflict?: OnConflict<Row>,
  ): Promise<void> {
    const list = Array.isArray(rows) ? rows : [rows];
    if (list.length > 0) this.#pipeline.defer(insertStatement<Row>(entity, list, { onConflict }));
  }

  async insertReturning<Row extends object, Property extends keyof Row>(
    entity: EntitySchema<Row>,
    rows: readonly Partial<Row>[],
    returning: readonly Property[],
    onConflict?: OnConflict<Row>,
  ): Promise<Pick<Row, Property>[]> {
    return rows.length === 0 ? [] : this.query(insertStatement<Row>(entity, rows, { onConflict, returning }));
  }

  async update<Row extends object>(
    entity: EntitySchema<Row>,
    where: Where<Row>,
    change: Partial<Row>,
  ): Promise<number> {
    const { rowCount } = await this.#pipeline.run(updateStatement(this.#dataSource, entity, where, change));
    return rowCount;
  }

  deferUpdate<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, change: Partial<Row>): void {
    this.#pipeline.defer(updateStatement(this.#dataSource, entity, where, change));
  }

  async delete<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<number> {
    const { rowCount } = await this.#pipeline.run(deleteStatement(this.#dataSource, entity, where));
    return rowCount;
  }

  deferDelete<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): void {
    this.#pipeline.defer(deleteStatement(this.#dataSource, entity, where));
  }

  find<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, options?: FindOptions<Row>): Promise<Row[]> {
    return this.query<Row>(findStatement(this.#dataSource, entity, where, options));
  }

  async findOne<Row extends object>(
    entity: EntitySchema<Row>,
    where: Where<Row>,
    options?: FindOptions<Row>,
  ): Promise<Row | null> {
    const [row] = await this.find(entity, where, { ...options, limit: 1 });
    return row ?? null;
  }

  async getOne<Row extends object>(
    entity: EntitySchema<Row>,
    where: Where<Row>,
    options?: FindOptions<Row>,
  ): Promise<Row> {
    const row = await this.findOne(entity, where, options);
    if (row === null) throw new Error(`a ${entity.options.name} that has to be there is missing`);
    return row;
  }

  async exists<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<boolean> {
    const rows = await this.query(existsStatement(this.#dataSource, entity, where));
    return rows.length > 0;
  }

  async count<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<number> {
    const [row] = await this.query<{ count: number }>(countStatement(this.#dataSource, entity, where));
    return row?.count ?? 0;
  }
}

function statementOf(statement: string | Statement, values: readonly unknown[] = []): Statement {
  return typeof statement === "string" ? { text: statement, values } : statement;
}
