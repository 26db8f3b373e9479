// What a handler does in a transaction. Nothing of the mapper shows: statements may travel otherwise one day, and no
// handler changes.

import type { PoolClient } from "pg";
import type { EntitySchema, EntityTarget, FindOptionsWhere, ObjectLiteral, QueryRunner } from "typeorm";
import { columnList } from "./columns.ts";
import { insertStatement, type OnConflict } from "./insert.ts";

/** Which rows: values of columns, or operators such as `In` and `Not`. */
export type Where<Row> = FindOptionsWhere<Row>;

/** Held until the transaction ends, as PostgreSQL's `FOR …` says. */
export type RowLock = "UPDATE" | "NO KEY UPDATE" | "SHARE";

export interface FindOptions<Row> {
  readonly orderBy?: Partial<Record<keyof Row, "ASC" | "DESC">>;
  readonly skip?: number;
  readonly limit?: number;
  readonly lock?: RowLock;
}

export interface Transaction {
  /** The rows of a statement, whatever it does. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** In one statement, however many rows; all give the same columns. */
  insert<Row extends object>(
    entity: EntitySchema<Row>,
    rows: Partial<Row> | readonly Partial<Row>[],
    onConflict?: OnConflict<Row>,
  ): Promise<void>;
  /** As `insert`; answers some properties of each row that was inserted or updated. */
  insertReturning<Row extends object, Property extends keyof Row>(
    entity: EntitySchema<Row>,
    rows: readonly Partial<Row>[],
    returning: readonly Property[],
    onConflict?: OnConflict<Row>,
  ): Promise<Pick<Row, Property>[]>;
  /** Answers how many rows there were to change. */
  update<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>, change: Partial<Row>): Promise<number>;
  /** Answers how many rows there were to delete. */
  delete<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<number>;
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
  /** Has the relay look for events once the transaction has been committed. */
  wakeRelay(): void;
}

const locks = {
  UPDATE: "pessimistic_write",
  "NO KEY UPDATE": "for_no_key_update",
  SHARE: "pessimistic_read",
} as const satisfies Record<RowLock, string>;

/** A transaction that TypeORM makes the statements of, one round trip each. */
export class RunnerTransaction implements Transaction {
  readonly #runner: QueryRunner;
  readonly #client: PoolClient;
  #wakesRelay = false;

  /** `runner` has a transaction open on `client`. */
  constructor(runner: QueryRunner, client: PoolClient) {
    this.#runner = runner;
    this.#client = client;
  }

  get wakesRelay(): boolean {
    return this.#wakesRelay;
  }

  wakeRelay(): void {
    this.#wakesRelay = true;
  }

  async query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    // The statement's text determines the columns; the caller states their types.
    const { rows } = await this.#client.query<Row>(text, values);
    return rows;
  }

  async insert<Row extends object>(
    entity: EntitySchema<Row>,
    rows: Partial<Row> | readonly Partial<Row>[],
    onConflict?: OnConflict<Row>,
  ): Promise<void> {
    const list = Array.isArray(rows) ? rows : [rows];
    if (list.length === 0) return;
    await this.#client.query(insertStatement<Row>(entity, list, { onConflict }));
  }

  async insertReturning<Row extends object, Property extends keyof Row>(
    entity: EntitySchema<Row>,
    rows: readonly Partial<Row>[],
    returning: readonly Property[],
    onConflict?: OnConflict<Row>,
  ): Promise<Pick<Row, Property>[]> {
    if (rows.length === 0) return [];
    const statement = insertStatement<Row>(entity, rows, { onConflict, returning });
    const result = await this.#client.query<Pick<Row, Property>>(statement);
    return result.rows;
  }

  async update<Row extends object>(
    entity: EntitySchema<Row>,
    where: Where<Row>,
    change: Partial<Row>,
  ): Promise<number> {
    const update = this.#builder.update<ObjectLiteral>(targetOf(entity)).set(change).where(where);
    return this.#affected(update.updateEntity(false).getQueryAndParameters());
  }

  async delete<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<number> {
    return this.#affected(this.#builder.delete().from(targetOf(entity)).where(where).getQueryAndParameters());
  }

  find<Row extends object>(
    entity: EntitySchema<Row>,
    where: Where<Row>,
    { orderBy = {}, skip, limit, lock }: FindOptions<Row> = {},
  ): Promise<Row[]> {
    const select = this.#select(entity, where);
    for (const { property } of columnList(entity)) select.addSelect(`row.${property}`, property);
    for (const [property, direction] of Object.entries<"ASC" | "DESC" | undefined>(orderBy)) {
      select.addOrderBy(`row.${property}`, direction);
    }
    if (lock !== undefined) select.setLock(locks[lock]);
    return this.query<Row>(...select.offset(skip).limit(limit).getQueryAndParameters());
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
    const select = this.#select(entity, where).addSelect("1", "one").limit(1);
    const rows = await this.query(...select.getQueryAndParameters());
    return rows.length > 0;
  }

  async count<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>): Promise<number> {
    const select = this.#select(entity, where).addSelect("count(*)::int", "count");
    const [row] = await this.query<{ count: number }>(...select.getQueryAndParameters());
    return row?.count ?? 0;
  }

  get #builder() {
    return this.#runner.manager.createQueryBuilder();
  }

  #select<Row extends object>(entity: EntitySchema<Row>, where: Where<Row>) {
    return this.#builder.select([]).from<ObjectLiteral>(targetOf(entity), "row").where(where);
  }

  async #affected([text, values]: [string, unknown[]]): Promise<number> {
    const { rowCount } = await this.#client.query(text, values);
    return rowCount ?? 0;
  }
}

function targetOf<Row>(entity: EntitySchema<Row>): EntityTarget<ObjectLiteral> {
  return entity as unknown as EntityTarget<ObjectLiteral>;
}
