// Tables of a transfer, with their columns and keys as PostgreSQL knows them.

import type { Tenant } from "../../tenant.ts";
import type { Statement } from "../batch.ts";
import type { Transaction } from "../transaction.ts";

/** A table whose rows are transferred. Tables that triggers fill are not. */
export interface TransferredTable {
  readonly table: string;
  /** Column with a row of the same table, which may come later: rows are inserted without it, and then linked. */
  readonly parent?: string;
  /** Column of bytes that is too long for a page: rows are inserted with its beginning, and then completed. */
  readonly long?: string;
  /** Condition on the rows `t` that are exported; by default all. */
  readonly where?: string;
  /** Column with the time that determines the partition. */
  readonly time?: string;
  /** Rows of another table that must be inserted in the same transaction, by their columns and those of this table. */
  readonly together?: Together;
  /** Columns whose values depend on the application, and are derived from other columns. */
  readonly derived?: readonly Derived[];
  /** Completes the import of inserted rows, in their transaction. */
  readonly complete?: (tx: Transaction, tenant: Tenant, rows: readonly string[]) => void;
}

export interface Derived {
  readonly column: string;
  readonly from: string;
  readonly derive: (applicationId: string, value: string) => string;
}

interface Together {
  readonly table: string;
  readonly on: Readonly<Record<string, string>>;
}

/** A table with its columns, other than those of the owner. */
export interface DescribedTable extends Omit<TransferredTable, "together"> {
  /** Name in exports: the table's, or that of the links between its rows or the pieces of them, which follow the rows. */
  readonly name: string;
  readonly content: "rows" | "links" | "pieces";
  readonly columns: readonly string[];
  /** Columns of variable length. */
  readonly variable: readonly string[];
  /** Columns and types of the primary key, without the application if there are others. */
  readonly key: readonly { readonly column: string; readonly type: string }[];
  readonly hasOrganization: boolean;
  readonly together: (Together & { readonly columns: readonly string[] }) | undefined;
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isVariable: boolean;
  /** Position in the primary key, or null. */
  readonly place: number | null;
}

/** Lists the columns of all tables of a schema that can be inserted. */
export function columnsStatement(schema: string): Statement {
  return {
    name: "transfer-columns",
    text: `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
        a.attlen = -1 AS "isVariable", array_position(k.conkey, a.attnum) AS place
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
      WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      ORDER BY c.relname, a.attnum`,
    values: [schema],
  };
}

/** Joins the tables with the rows of `columnsStatement`. */
export function describeTables(tables: readonly TransferredTable[], found: readonly object[]): DescribedTable[] {
  // The statement determines the columns of its rows.
  const columnsByTable = Map.groupBy(found as readonly Column[], ({ table }) => table);
  const list = (table: string) => columnsByTable.get(table) ?? [];
  const isOwn = ({ column }: Column) => !owner.includes(column);
  return tables.flatMap(({ together, ...described }) => {
    const { table, parent, long } = described;
    const all = list(table);
    const own = all.filter(isOwn);
    const primary = all.filter(({ place }) => place !== null).toSorted((a, b) => Number(a.place) - Number(b.place));
    // A table with one row per application has no other key.
    const key = primary.length === 1 ? primary : primary.filter(isOwn);
    const columns = own.map(({ column }) => column);
    const rows: DescribedTable = {
      ...described,
      name: table,
      content: "rows",
      columns: columns.filter((column) => column !== parent),
      variable: own.filter(({ isVariable }) => isVariable).map(({ column }) => column),
      key,
      hasOrganization: all.some(({ column }) => column === "org_id"),
      together: together && {
        ...together,
        columns: list(together.table)
          .filter(isOwn)
          .map(({ column }) => column),
      },
    };
    const following = (content: "links" | "pieces", column: string): DescribedTable => {
      const keyed = [...key.map((each) => each.column), column];
      return { ...rows, name: `${table}_${content}`, content, columns: keyed, variable: [] };
    };
    return [
      rows,
      ...(parent === undefined ? [] : [following("links", parent)]),
      ...(long === undefined ? [] : [following("pieces", long)]),
    ];
  });
}

const owner: readonly string[] = ["application_id", "org_id"];

export const quote = (name: string) => `"${name}"`;
