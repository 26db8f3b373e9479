// Statements that are written once, for PostgreSQL: rows of the archive stand beside its own, as a parameter.

import { isDeepStrictEqual } from "node:util";
import type { QueryResultRow } from "pg";
import { columnList, tableOf } from "../db/columns.ts";
import type { Statement } from "../db/database.ts";
import { invalidField } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { archivedColumnsOf } from "./rows.ts";
import type { Dropped, Stores } from "./stores.ts";
import type { TableExtent } from "./types.ts";

const rowsMax = 100_000;
/** PostgreSQL does not know how many rows a parameter has, and nested loops would read it for each row of the other side. */
const byHash: Statement = { text: "SELECT set_config('enable_nestloop', 'off', true)", values: [] };

export interface FindOptions {
  /** What is read of what was dropped. */
  readonly within?: (extent: TableExtent) => TableExtent;
  /** After the predicate on `r`: further ones, an order, a limit. */
  readonly rest?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/**
 * Answers dropped rows with one of these ids in a column, of which they have the columns that the statements name. The statements
 * read rows with these ids alone, of either store.
 */
export type FindDropped = <Row extends object = { id: string }>(
  table: string,
  column: string,
  ids: readonly string[],
  options?: FindOptions,
) => Promise<Row[]>;

interface Beside {
  readonly table: string;
  /** By id. */
  readonly rows: Map<string, object>;
  /** Ids by column. */
  readonly bounds: [column: string, ids: readonly string[]][];
}

type Collect = (find: FindDropped, found: readonly QueryResultRow[][], dropped: Dropped) => Promise<unknown>;

/** For `readBeside`: the row with the id, where the first statement has none. */
export function findById(table: string, id: string): Collect {
  return async (find, [own]) => own?.length === 0 && find(table, "id", [id]);
}

/**
 * The rows of statements about what both stores have, which give each table an alias. Where something was dropped, `collect` asks the
 * archive for rows of the tables; it gets what PostgreSQL alone has found. Nothing is read twice where there are none.
 */
export async function readBeside(
  stores: Stores,
  call: Call,
  statements: readonly Statement[],
  collect: Collect,
): Promise<QueryResultRow[][]> {
  const kinds = stores.kinds.map(({ kind }) => kind);
  const { found, dropped } = await stores.read(call, kinds, statements);
  if (Object.values(dropped).every(({ intervals }) => intervals.length === 0)) return found;
  const besides = new Map<string, Beside>();
  await collect(finder(stores, call, statements, dropped, besides), found, dropped);
  const tables = [...besides.values()];
  if (tables.every(({ rows }) => rows.size === 0)) return found;
  const completed = statements.map((statement) => withRows(statement, tables));
  const replayed = await stores.read(call, kinds, [byHash, ...completed]);
  // What was dropped meanwhile is in neither part, and what came back in both.
  return isDeepStrictEqual(replayed.dropped, dropped)
    ? replayed.found.slice(1)
    : readBeside(stores, call, statements, collect);
}

function finder(
  stores: Stores,
  call: Call,
  statements: readonly Statement[],
  dropped: Dropped,
  besides: Map<string, Beside>,
): FindDropped {
  const words = new Set(["id", ...statements.flatMap(({ text }) => text.match(/\w+/g) ?? [])]);
  const archived = stores.kinds.flatMap(({ kind, tables }) => tables.map(({ entity }) => ({ kind, entity })));
  return async <Row extends object>(
    table: string,
    column: string,
    ids: readonly string[],
    { within, rest = "", parameters = {} }: FindOptions = {},
  ) => {
    const { kind, entity } = archived.find((one) => one.entity.options.tableName === table) ?? {};
    if (kind === undefined || entity === undefined) throw new Error(`${table} is no table of the archive`);
    if (ids.length === 0) return [];
    const columns = columnList<object>(entity).filter(({ name }) => words.has(name.slice(1, -1)));
    const selected = archivedColumnsOf<object>(entity, "r", columns.map(({ property }) => property) as never[]);
    const text = `SELECT * FROM (SELECT ${selected} FROM ${table} r WHERE r.${column} IN {ids:Array(UUID)} ${rest}) LIMIT ${rowsMax + 1}`;
    const extent = within?.(dropped[kind]) ?? dropped[kind];
    const rows = await stores.readDroppedRows(call, entity, extent, text, { ids, ...parameters });
    if (rows.length > rowsMax) {
      const message = `More than ${rowsMax.toLocaleString("en")} rows are in the archive: \`ems archive restore\` brings them back`;
      throw invalidField(["id"], message);
    }
    const beside: Beside = besides.get(table) ?? { table: tableOf(entity), rows: new Map(), bounds: [] };
    besides.set(table, beside);
    beside.bounds.push([column, ids]);
    for (const row of rows as Record<string, unknown>[]) {
      const named = columns.map(({ property, name }) => [name.slice(1, -1), row[property]]);
      beside.rows.set(String(row.id), Object.fromEntries(named));
    }
    // Whoever asks states the columns.
    return rows as Row[];
  };
}

/** The statement with relations in place of tables. What is read of PostgreSQL's is bounded, for joins by hash. */
function withRows(statement: Statement, tables: readonly Beside[]): Statement {
  const values = [...statement.values];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  let { text } = statement;
  for (const { table, rows, bounds } of tables) {
    const name = new RegExp(`\\b${table.replace(".", "\\.")}\\b`, "g");
    if (!name.test(text)) continue;
    const bound = bounds.map(([column, ids]) => `${column} = ANY (${parameter(ids)}::uuid[])`).join(" OR ");
    const json = `json_populate_recordset(NULL::${table}, ${parameter(JSON.stringify([...rows.values()]))}::json)`;
    const relation = `(SELECT * FROM ${table} WHERE ${bound} UNION ALL SELECT * FROM ${json})`;
    text = text.replaceAll(name, () => relation);
  }
  return text === statement.text ? statement : { text, values };
}
