// Transfer of an application's rows: exports them as texts, and inserts them into an empty application. Rows keep their
// ids and times, and no event is published.

import { failure, invalidField } from "../../errors.ts";
import type { Call } from "../../rpc/call.ts";
import type { Tenant } from "../../tenant.ts";
import { decodeCursor, encodeCursor, invalidCursor } from "../cursor.ts";
import type { Database } from "../database.ts";
import { findRowFault } from "../errors.ts";
import { newestMigration, type Schema } from "../schema.ts";
import type { Transaction } from "../transaction.ts";
import { type ExportedRow, pageStatement } from "./export.ts";
import {
  appendStatement,
  beginStatement,
  filledStatement,
  insertStatement,
  linkStatement,
  monthsStatement,
  sourcesStatement,
} from "./import.ts";
import { columnsStatement, type DescribedTable, describeTables, type TransferredTable } from "./tables.ts";

export { transferSql } from "./schema.ts";
export type { TransferredTable } from "./tables.ts";

/** Rows of one table, each as the text of a JSON object. */
export interface TableRows {
  readonly table: string;
  readonly rows: readonly string[];
}

export interface RowPage {
  readonly schema: string;
  readonly tables: { readonly table: string; readonly rows: string[] }[];
  /** Cursor of the next page; undefined after the last one. */
  readonly nextCursor?: string;
}

export interface RowImport {
  readonly importId: string;
  readonly schema: string;
  readonly tables: readonly TableRows[];
  readonly isLast?: boolean | undefined;
}

/** Separates the values of a key in a cursor; none of them contains it. */
const separator = "\n";

export class RowTransfer {
  readonly #database: Database;
  readonly #schema: Schema;
  readonly #tables: readonly TransferredTable[];
  readonly #version: string;
  #described: readonly DescribedTable[] | undefined;

  /** `tables` are in an order in which their rows can be inserted. */
  constructor(database: Database, schema: Schema, tables: readonly TransferredTable[]) {
    this.#database = database;
    this.#schema = schema;
    this.#tables = tables;
    this.#version = newestMigration(schema) ?? "";
  }

  /** Returns the page after a cursor, or the first page. */
  async export(call: Call, after: string | undefined): Promise<RowPage> {
    const tables = await this.#describe(call);
    const scope = {
      list: `transfer of ${this.#schema.name}`,
      tenant: call.tenant.applicationId,
      order: "",
      filters: "",
    };
    const place = after === undefined ? undefined : decodeCursor(scope, after);
    const at = place === undefined ? 0 : tables.findIndex(({ name }) => name === place.id);
    const table = tables[at];
    if (table === undefined) throw invalidCursor();
    const key = place?.key?.split(separator);
    const statement = pageStatement(this.#schema.name, table, call.tenant.applicationId, key);
    const rows = await this.#database.read<ExportedRow>(call, statement);
    const together = table.together?.table;
    const belonging = rows.flatMap((row) => row.together ?? []);
    const filled = [{ table: table.name, rows: rows.map(({ row }) => row) }];
    if (together !== undefined) filled.push({ table: together, rows: belonging });
    const lastKey = rows.at(-1)?.key.join(separator);
    const next = lastKey === undefined ? tables[at + 1] : table;
    return {
      schema: this.#version,
      tables: filled.filter((each) => each.rows.length > 0),
      ...(next !== undefined && { nextCursor: encodeCursor(scope, { key: lastKey ?? null, id: next.name }) }),
    };
  }

  /** Checks a page, and returns the work that inserts it; its result is the number of rows that the application lacked. */
  async prepareImport(
    call: Call,
    { importId, schema, tables, isLast = false }: RowImport,
  ): Promise<(tx: Transaction) => Promise<number>> {
    if (schema !== this.#version)
      throw invalidField(
        ["schema"],
        `The rows come from another version of the product, with ${schema} instead of ${this.#version}: import them with that version, then upgrade`,
      );
    const all = await this.#describe(call);
    const pages = tables.map(({ table, rows }) => ({ table: findTable(all, table), rows }));
    return async (tx) => {
      if (await this.#hasEnded(tx, call, importId, all)) return 0;
      // Imported rows are not changes by a person: the audit log only has the import.
      tx.defer("SELECT set_config('ems.actor', '', true)");
      let count = 0;
      for (const { table, rows } of pages) {
        if (rows.length > 0) count += await this.#insert(tx, call.tenant, table, rows);
      }
      if (isLast)
        tx.defer(`UPDATE ${this.#schema.name}.import SET ended_at = now() WHERE application_id = $1`, [
          call.tenant.applicationId,
        ]);
      return count;
    };
  }

  async #insert(tx: Transaction, tenant: Tenant, table: DescribedTable, rows: readonly string[]): Promise<number> {
    const { name } = this.#schema;
    const { time, derived = [], complete } = table;
    if (table.content !== "rows") {
      const build = table.content === "links" ? linkStatement : appendStatement;
      tx.defer(build(name, table, tenant, rows));
      return 0;
    }
    if (time !== undefined) tx.defer(monthsStatement(name, time, rows));
    const values = new Map<string, ReadonlyMap<string, string>>();
    for (const { column, from, derive } of derived) {
      const sources = await tx.query<{ source: string }>(sourcesStatement(from, rows));
      values.set(column, new Map(sources.map(({ source }) => [source, derive(tenant.applicationId, source)])));
    }
    const [inserted] = await tx.query<{ count: number }>(insertStatement(name, table, tenant, rows, values));
    complete?.(tx, tenant, rows);
    return inserted?.count ?? 0;
  }

  /** Begins the import if none has begun. Returns true if it has ended; throws if the application has other rows. */
  async #hasEnded(tx: Transaction, { tenant }: Call, importId: string, all: readonly DescribedTable[]) {
    const { name } = this.#schema;
    const begun = await tx.query(beginStatement(name, tenant, importId));
    if (begun.length > 0) {
      const filled = await tx.query<{ table: string }>(filledStatement(name, all, tenant.applicationId));
      const [first] = filled;
      if (first !== undefined)
        throw failure(
          "STATE_CONFLICT",
          `The application is not empty: it has rows of ${first.table}. Import into a new application`,
        );
      return false;
    }
    const [stored] = await tx.query<{ id: string; isEnded: boolean }>(
      `SELECT id, ended_at IS NOT NULL AS "isEnded" FROM ${name}.import WHERE application_id = $1 FOR UPDATE`,
      [tenant.applicationId],
    );
    if (stored?.id !== importId)
      throw failure(
        "STATE_CONFLICT",
        "Another import has begun to fill the application. Import into a new application",
      );
    return stored.isEnded;
  }

  async #describe(call: Call): Promise<readonly DescribedTable[]> {
    this.#described ??= describeTables(
      this.#tables,
      await this.#database.read(call, columnsStatement(this.#schema.name)),
    );
    return this.#described;
  }
}

function findTable(tables: readonly DescribedTable[], name: string): DescribedTable {
  const found = tables.find((table) => table.name === name);
  if (found !== undefined) return found;
  const names = tables.map((table) => table.name).join(", ");
  throw invalidField(["tables"], `No table "${name}" can be imported. Expected one of ${names}`);
}

/** Throws an issue if an imported row does not fit its table; other errors stay. */
export function refuseRows(error: unknown): never {
  const fault = findRowFault(error);
  throw fault === undefined ? error : invalidField(["tables"], `A row does not fit its table: ${fault}`);
}
