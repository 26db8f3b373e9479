// Reads the archived data of a report, from the batches in the report's snapshot.

import { type Archive, type ArchivedRanges, type ArchiveStatement, buildRangesStatement } from "@ems/archive";
import type { Read } from "@ems/kit/db/snapshot";
import { invalidFields } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import {
  type ArchivedRow,
  archivedGroups,
  type Bucket,
  compileArchivedBounds,
  compileArchivedGroups,
  compileArchivedRows,
  compileCandidates,
  compileExcluded,
  type DaySplit,
  type Grouping,
  type Interval,
  type Intervals,
  intersection,
  type Plan,
  type Reach,
  type ResultRow,
  timeBounds,
  timeOrder,
} from "../query/index.ts";
import { type Column, isOnTimeline } from "../sources/index.ts";

export interface Archived extends ArchivedRanges, Pick<Reach, "excluded"> {
  query<Row>(statement: ArchiveStatement): Promise<Row[]>;
}

/** Maximum number of values in archived groups: about 200,000 groups. */
const cellsMax = 1_000_000;
/** Maximum number of edges that are looked up by primary key. */
const edgesMax = 50;
/** Maximum number of tasks and topics that one statement can exclude. */
const idsMax = 100_000;
const dayMs = 86_400_000;

/** Returns access to the archive; undefined if no archived rows are in the plan's time range. */
export async function readArchived(
  archive: Archive | undefined,
  call: Call,
  read: Read,
  plan: Plan,
): Promise<Archived | undefined> {
  const { archive: source } = plan.source;
  if (archive === undefined || source === undefined) return undefined;
  const { applicationId } = call.tenant;
  const [range] = await read<ArchivedRanges>(buildRangesStatement(source.batches, applicationId, source.kind));
  if (range === undefined) return undefined;
  // If the plan includes part of a UTC day, the other rows of that day are subtracted from its sums.
  const midnight = (at: number, round: (days: number) => number) => round(at / dayMs) * dayMs;
  const bounds = timeBounds(plan).map(({ from, to }) => ({
    from: midnight(from, Math.floor),
    to: midnight(to, Math.ceil),
  }));
  if (intersection(bounds, range.intervals).length === 0) return undefined;
  const ids =
    plan.includeArchived || Object.keys(source.ids).length === 0
      ? []
      : await read<{ column: string; ids: string[] | null }>(compileExcluded(applicationId, source.ids));
  const excluded = Object.fromEntries(ids.map((column) => [column.column, column.ids ?? []]));
  const isTooMuch = Object.values(excluded).flat().length > idsMax;
  const message = `Archived rows: more than ${idsMax} archived tasks and topics cannot be excluded`;
  if (isTooMuch) throw invalidFields([{ path: ["include_archived"], message }]);
  return { ...range, excluded, query: (statement) => archive.query(call, statement) };
}

/**
 * Reads groups of the plan's archived rows, or only of those rows that are in edges of a rollup. Undefined if there are
 * none.
 */
export async function readGroups(
  archived: Archived | undefined,
  plan: Plan,
  getBuckets: (grouping: Grouping) => readonly Bucket[],
  split: DaySplit | undefined,
): Promise<readonly ArchivedRow[] | undefined> {
  const edges = split?.edges;
  const reach = archived && findReach(archived, plan, edges);
  if (archived === undefined || reach === undefined) return undefined;
  const most = Math.floor(cellsMax / (1 + plan.groupings.length + 2 * plan.measures.length));
  const rows = await archived.query<ArchivedRow>(compileArchivedGroups(plan, reach, getBuckets, edges, most + 1));
  if (rows.length > most) {
    const message = `Archived rows have more than ${most} groups: filter dates, or use fewer groupings`;
    throw invalidFields([{ path: ["group_by"], message }]);
  }
  return archivedGroups(plan, rows, getBuckets, edges);
}

/** Reads the archived rows that may belong to the plan's page; undefined if there are none. */
export async function readCandidates(
  archived: Archived | undefined,
  plan: Plan,
): Promise<readonly ArchivedRow[] | undefined> {
  const reach = archived && findReach(archived, plan);
  if (archived === undefined || reach === undefined) return undefined;
  const most = plan.skip + plan.limit;
  if (most > cellsMax / 4) {
    const message = `Only the first ${cellsMax / 4} archived rows can be listed in this order: filter dates, or order by createdAt`;
    throw invalidFields([{ path: ["skip"], message }]);
  }
  return archived.query<ArchivedRow>(compileCandidates(plan, reach, most));
}

/** Returns true if PostgreSQL's page is complete: in the order of time, no archived row comes before its last row. */
export function isComplete({ intervals }: Archived, plan: Plan, page: readonly ResultRow[]): boolean {
  const order = timeOrder(plan);
  const last = order && page[plan.limit - 1]?.[`column_${plan.source.columns.indexOf(order.column)}`];
  const [first, end] = [
    intervals[0]?.from ?? Number.POSITIVE_INFINITY,
    intervals.at(-1)?.to ?? Number.NEGATIVE_INFINITY,
  ];
  return last instanceof Date && (order?.isDescending ? last.getTime() >= end : last.getTime() < first);
}

/** Returns the page, after reading the columns of rows that only the archive has. */
export async function completeRows(
  archived: Archived | undefined,
  plan: Plan,
  page: readonly ResultRow[],
): Promise<readonly ResultRow[]> {
  const missing = page.filter(({ column_0 }) => column_0 === null);
  if (archived === undefined || missing.length === 0) return page;
  const keys = missing.map(({ key, created }) => ({ id: key, created }));
  const reach = findReach(archived, plan);
  const found = reach && (await archived.query<ResultRow>(compileArchivedRows(plan, reach, keys)));
  const rows = new Map(found?.map((row) => [String(row.column_0), dated(plan, row)]));
  return page.map((row) => rows.get(String(row.key)) ?? row);
}

function dated({ source }: Plan, row: ResultRow): ResultRow {
  const moments = source.columns.flatMap(({ storage }, at) => {
    const ms = row[`column_${at}`];
    return storage.kind === "moment" && ms !== null ? [[`column_${at}`, new Date(Number(ms))] as const] : [];
  });
  return { ...row, ...Object.fromEntries(moments) };
}

/** Reads the range of dates of archived rows; empty if there are none. */
export async function readBounds(archived: Archived | undefined, plan: Plan, column: Column): Promise<Interval[]> {
  const reach = archived && findReach(archived, plan);
  if (archived === undefined || reach === undefined) return [];
  // This may be too large, because batches need not begin and end with a row.
  if (isOnTimeline(plan.source, column)) return [...reach.intervals];
  const [bounds] = await archived.query<{ first: string | null; last: string | null }>(
    compileArchivedBounds(plan, reach, column),
  );
  return bounds?.first && bounds.last ? [{ from: Number(bounds.first), to: Number(bounds.last) + 1 }] : [];
}

function findReach(archived: Archived, plan: Plan, edges?: Intervals): Reach | undefined {
  const { query: _query, ...reach } = archived;
  const intervals = intersection(edges ?? timeBounds(plan), archived.intervals);
  if (intervals.length === 0) return undefined;
  if (edges === undefined || intervals.length <= edgesMax) return { ...reach, intervals };
  // Groups of edges have a predicate of their own.
  const [from, to] = [Math.min(...edges.map((edge) => edge.from)), Math.max(...edges.map((edge) => edge.to))];
  return { ...reach, intervals: intersection([{ from, to }], archived.intervals) };
}
