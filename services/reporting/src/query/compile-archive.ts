// Compiles plans to ClickHouse SQL for archived data: partial groups and candidates for a page, which PostgreSQL's
// statement merges (compile.ts). Statements need no time filter, because the archived ranges limit the time.

import type { ArchivedRanges, ArchiveStatement } from "@ems/archive";
import { type Column, isOnTimeline } from "../sources/index.ts";
import { fromRows, listAggregates } from "./aggregates.ts";
import { type ArchivedRow, formatOrder, type GetBuckets, groupBy, rowOrder } from "./compile.ts";
import { histogramOfRows, listHistograms } from "./histogram.ts";
import type { Grouping, Plan } from "./plan.ts";
import { filterPredicates, type Parameters } from "./predicates.ts";
import { type Edge, timeOrder } from "./rollup.ts";

/** The archived ranges that a statement reads, with its exclusions. */
export interface Reach extends ArchivedRanges {
  /** Excluded tasks and topics by column; not empty only if `includeArchived` is false. */
  readonly excluded: Readonly<Record<string, readonly string[]>>;
}

/** Compiles partial groups of the whole plan, or only of the rows in `edges`, which are also grouped by edge. */
export function compileArchivedGroups(
  plan: Plan,
  reach: Reach,
  getBuckets: GetBuckets,
  edges: readonly Edge[] | undefined,
  most: number,
): ArchiveStatement {
  const ofEdges = ({ column }: Grouping) => edges !== undefined && isOnTimeline(plan.source, column);
  const keys = plan.groupings.flatMap((grouping, at) => {
    const { column, trunc } = grouping;
    if (ofEdges(grouping)) return [];
    const bounds = trunc === undefined ? undefined : getBuckets(grouping).map(({ from }) => from);
    return [`${bounds === undefined ? column.sql : roundDown(column.sql, bounds)} AS group_${at}`];
  });
  const { buckets, hits } = histogramOfRows(listHistograms(plan.measures), "clickhouse");
  keys.push(...buckets);
  const ends = edges && edgesByBound(edges);
  if (ends !== undefined) keys.push(`${roundDown("s.created_at", [...ends.keys()])} AS edge`);
  const inEdges = ends && [...ends.keys()].filter((end) => ends.get(end)?.length);
  const isInEdge = inEdges === undefined ? "" : `AND edge IN (${inEdges.join()})`;
  const select = [
    ...keys,
    "count(*) AS rows",
    ...fromRows(listAggregates(plan.measures), (sql, bits) => `toInt${bits}(${sql})`),
    ...hits,
  ];
  const grouped = `${groupBy(keys.length)} LIMIT ${most}`;
  return compile(plan, reach, (from) => `SELECT ${select.join(", ")} ${from} ${isInEdge} ${grouped}`);
}

/** Rounds down to one of `bounds` (not empty if there are rows). Part of the text, because a parameter holds few. */
function roundDown(sql: string, bounds: readonly number[]): string {
  return `roundDown(toUnixTimestamp64Milli(${sql}), [${bounds.length > 0 ? bounds.join() : 0}])`;
}

/** Maps each time at which an edge begins or ends to all edges that contain the time after it (edges overlap). */
function edgesByBound(edges: readonly Edge[]): Map<number, Edge[]> {
  const ends = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b);
  const places = new Map(ends.map((end, at) => [end, at]));
  const result = new Map<number, Edge[]>(ends.map((end) => [end, []]));
  for (const edge of edges) {
    for (const end of ends.slice(places.get(edge.from), places.get(edge.to))) result.get(end)?.push(edge);
  }
  return result;
}

/** Converts groups of `compileArchivedGroups` to the form that PostgreSQL's statement needs. */
export function archivedGroups(
  plan: Plan,
  rows: readonly ArchivedRow[],
  getBuckets: GetBuckets,
  edges: readonly Edge[] | undefined,
): ArchivedRow[] {
  const timeline = `group_${plan.groupings.findIndex(({ column }) => isOnTimeline(plan.source, column))}`;
  if (edges !== undefined) {
    const ends = edgesByBound(edges);
    return rows.flatMap((row) =>
      (ends.get(Number(row.edge)) ?? []).flatMap(({ addTo, subtractFrom }) => [
        ...(addTo === undefined ? [] : [{ ...row, [timeline]: addTo, sign: 1 }]),
        ...(subtractFrom === undefined ? [] : [{ ...row, [timeline]: subtractFrom, sign: -1 }]),
      ]),
    );
  }
  const dates = plan.groupings.flatMap((grouping, at) => {
    const starts = getBuckets(grouping).map(({ from, start }): [string, number] => [String(from), start]);
    return grouping.trunc === undefined ? [] : [{ name: `group_${at}`, starts: new Map(starts) }];
  });
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(dates.map(({ name, starts }) => [name, starts.get(String(row[name]))])),
    sign: 1,
  }));
}

/** Compiles a statement for the first `most` rows in the plan's order, with `created`, `key` and the order's terms. */
export function compileCandidates(plan: Plan, reach: Reach, most: number): ArchiveStatement {
  const terms = rowOrder(plan);
  const select = [
    "toUnixTimestamp64Milli(s.created_at) AS created",
    "s.id AS key",
    ...terms.map(({ column, name }) => `${plain(column)} AS ${name}`),
  ];
  const time = timeOrder(plan);
  return compile(plan, reach, (from) => {
    // The time of the nth row is found in storage order; only the rows up to that time are then sorted by id.
    const [last, beyond] = time?.isDescending ? ["min", "DESC"] : ["max", "ASC"];
    const nth = `SELECT ${last}(at) FROM (SELECT s.created_at AS at ${from} ORDER BY s.created_at ${beyond} LIMIT ${most})`;
    const first = time === undefined ? "" : `AND s.created_at ${time.isDescending ? ">=" : "<="} (${nth})`;
    return `SELECT ${select.join(", ")} ${from} ${first} ${formatOrder(terms)} LIMIT ${most}`;
  });
}

/** Compiles a statement that reads whole rows, in the form of `compileRows`. */
export function compileArchivedRows(
  plan: Plan,
  reach: Reach,
  keys: readonly { readonly id: unknown; readonly created: unknown }[],
): ArchiveStatement {
  const columns = plan.source.columns.map((column, at) => `${plain(column)} AS column_${at}`);
  // Filters by time too, because the primary key begins with it.
  const moments = [...new Set(keys.map(({ created }) => Number(created)))].map(moment).join(", ");
  const ids = keys.map(({ id }) => id);
  return compile({ ...plan, filters: [] }, { ...reach, excluded: {} }, (from, parameters) => {
    const among = `s.created_at IN (${moments}) AND s.id = ANY (${parameters.add(ids, "uuid[]")})`;
    return `SELECT ${columns.join(", ")} ${from} AND ${among}`;
  });
}

function moment(ms: number | string): string {
  return `fromUnixTimestamp64Milli(${ms}, 'UTC')`;
}

/** Compiles a statement for the `first` and `last` time in a date column; both are null if there is none. */
export function compileArchivedBounds(plan: Plan, reach: Reach, { sql }: Column): ArchiveStatement {
  const bound = (aggregate: string) => `toUnixTimestamp64Milli(${aggregate}OrNull(${sql}))`;
  return compile(plan, reach, (from) => `SELECT ${bound("min")} AS first, ${bound("max")} AS last ${from}`);
}

/** Converts a value for comparisons, because ClickHouse sorts UUIDs by their second half first. */
function plain({ sql, storage }: Column): string {
  if (storage.kind === "moment") return `toUnixTimestamp64Milli(${sql})`;
  return storage.kind === "uuid" ? `toString(${sql})` : sql;
}

/** Compiles a statement; `toText` builds its text from the FROM and WHERE clauses. */
function compile(
  plan: Plan,
  { excluded, ...range }: Reach,
  toText: (from: string, parameters: Parameters) => string,
): ArchiveStatement {
  const { archive } = plan.source;
  if (archive === undefined) throw new Error(`${plan.source.id} has no archive`);
  const parameters = new ArchiveParameters();
  const predicates = [
    "true",
    ...filterPredicates(plan, parameters, ({ column }) => isOnTimeline(plan.source, column)),
    ...Object.entries(excluded).map(([column, ids]) => notAmong(`s.${column}`, ids)),
  ];
  const text = toText(`FROM ${archive.from} WHERE ${predicates.join(" AND ")}`, parameters);
  return {
    text,
    parameters: parameters.values,
    ranges: Object.fromEntries(archive.tables.map((table) => [table, range])),
  };
}

/** Excludes ids, which come from PostgreSQL. They are part of the text, as in `roundDown`. */
function notAmong(sql: string, ids: readonly string[]): string {
  if (ids.length === 0) return "true";
  return `(${sql} IS NULL OR ${sql} NOT IN (${ids.map((id) => `'${id}'`).join()}))`;
}

const types: Readonly<Record<string, string>> = {
  "uuid[]": "Array(UUID)",
  "text[]": "Array(String)",
  boolean: "Bool",
  bigint: "Int64",
  float8: "Float64",
};
/** Range of the type DateTime64. */
const [earliest, latest] = [Date.parse("1900-01-01T00:00:00Z"), Date.parse("2299-12-31T00:00:00Z")];

class ArchiveParameters implements Parameters {
  readonly values: Record<string, unknown> = {};

  hasAny(sql: string, ids: readonly string[]): string {
    return `hasAny(${sql}, ${this.#name(ids, "uuid[]")})`;
  }

  add(value: unknown, type: string): string {
    if (type === "timestamptz") {
      const ms = value === "-infinity" ? earliest : value === "infinity" ? latest : Date.parse(String(value));
      return moment(this.#name(Math.min(Math.max(ms, earliest), latest), "bigint"));
    }
    const placeholder = this.#name(value, type);
    // ClickHouse's ANY and ALL need rows instead of arrays.
    return type.endsWith("[]") ? `SELECT arrayJoin(${placeholder})` : placeholder;
  }

  #name(value: unknown, type: string): string {
    const name = `p${Object.keys(this.values).length}`;
    this.values[name] = value;
    return `{${name}:${types[type]}}`;
  }
}
