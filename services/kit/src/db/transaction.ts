// Operations of a handler in a transaction. Writes whose result is not awaited are deferred, so they take no additional
// round trip. The API hides the object mapper.

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
 * Statements requested together (`Promise.all`) take one round trip. Deferred statements are sent before the next
 * awaited one, or before the commit, in the order of the calls. Their errors reject the awaited one or the commit.
 */
export interface Transaction {
  /** Returns the rows of any statement. */
  query<Row extends object>(statement: string | Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** Sends a statement later and ignores its result. */
  defer(statement: string | Statement, values?: readonly unknown[]): void;
  /** Inserts rows that have the same columns, in one statement. Deferred. */
  insert<Row extends object>(
    entity: EntitySchema<Row>,
    rows: Partial<Row> | readonly Partial<Row>[],
    onConflict?: OnConflict<Row>,
  ): Promise<void>;
  /** Like `insert`, but not deferred; returns some properties of each inserted or updated row. */
  insertReturning<Row extends object, Property extends keyof Row>(
    entity: EntitySchema<Row>,
    rows: readonly Partial<Row>[],
    returning: readonly Property[],
    onConflict?: OnConflict<Row>,
  ): Promise<Pick<Row, Property>[]>;
  /** Returns the number of changed rows. */
  update<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, change: Partial<Row>): Promise<number>;
  /** Like `update`, but deferred: for rows that certainly exist. */
  deferUpdate<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, change: Partial<Row>): void;
  /** Returns the number of deleted rows. */
  delete<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<number>;
  /** Like `delete`, but deferred. */
  deferDelete<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): void;
  find<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, options?: FindOptions<Row>): Promise<Row[]>;
  findOne<Row extends object>(
    entity: EntitySchema<Row>,
    where: Where<Row>,
    options?: FindOptions<Row>,
  ): Promise<Row | null>;
  /** Returns the row; throws if it does not exist. */
  getOne<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, options?: FindOptions<Row>): Promise<Row>;
  exists<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<boolean>;
  count<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<number>;
  /**
   * Returns the results of this tick's statements, which must be the transaction's last ones and are sent with its
   * commit. With an idempotency key the commit is sent later, since the stored response depends on the results.
   */
  commit<T>(results: Promise<T>): Promise<T>;
  /** Makes the relay look for events after the commit. */
  wakeRelay(): void;
}

/** A transaction whose statements TypeORM builds, but does not send. */
export class EntityTransaction implements Transaction {
  readonly #pipeline: PipelinedTransaction;
  readonly #dataSource: DataSource;
  readonly #staysOpen: boolean;
  #wakesRelay = false;

  /** `staysOpen`: true to commit only after the work has ended, even if it calls `commit`. */
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
    const { rows } = await this.#pipeline.run(toStatement(statement, values));
    // The statement's text determines the columns; the caller declares their types.
    return rows as Row[];
  }

  defer(statement: string | Statement, values?: readonly unknown[]): void {
    this.#pipeline.defer(toStatement(statement, values));
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
    if (row === null) throw new Error(`a required row of ${entity.options.name} does not exist`);
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

function toStatement(statement: string | Statement, values: readonly unknown[] = []): Statement {
  return typeof statement === "string" ? { text: statement, values } : statement;
}
