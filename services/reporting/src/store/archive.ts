// What a report reads of the archive: the batches are those of its snapshot.

import { type Archive, type ArchiveStatement, type Extent, extentStatement } from "@ems/archive";
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

export interface Archived extends Extent, Pick<Reach, "excluded"> {
  query<Row>(statement: ArchiveStatement): Promise<Row[]>;
}

/** Values of a part: some 200,000 groups. */
const cellsMax = 1_000_000;
/** Edges that are sought by the primary key. */
const edgesMax = 50;
/** Tasks and topics that a statement leaves out. */
const idsMax = 100_000;
const dayMs = 86_400_000;

/** Undefined where the plan's time has no archived rows. */
export async function readArchived(
  archive: Archive | undefined,
  call: Call,
  read: Read,
  plan: Plan,
): Promise<Archived | undefined> {
  const { archive: source } = plan.source;
  if (archive === undefined || source === undefined) return undefined;
  const { applicationId } = call.tenant;
  const [extent] = await read<Extent>(extentStatement("reporting.archive_batch_v1", applicationId, "results"));
  if (extent === undefined) return undefined;
  // Of a UTC day that is in part the plan's, the other rows are subtracted from its sums.
  const midnight = (at: number, round: (days: number) => number) => round(at / dayMs) * dayMs;
  const bounds = timeBounds(plan).map(({ from, to }) => ({
    from: midnight(from, Math.floor),
    to: midnight(to, Math.ceil),
  }));
  if (intersection(bounds, extent.intervals).length === 0) return undefined;
  const ids = plan.includeArchived
    ? []
    : await read<{ column: string; ids: string[] | null }>(compileExcluded(applicationId, source.ids));
  const excluded = Object.fromEntries(ids.map((one) => [one.column, one.ids ?? []]));
  const isTooMuch = Object.values(excluded).flat().length > idsMax;
  const message = `Of old rows more than ${idsMax} archived tasks and topics are not left out`;
  if (isTooMuch) throw invalidFields([{ path: ["include_archived"], message }]);
  return { ...extent, excluded, query: (statement) => archive.query(call, statement) };
}

/** Groups of the plan's archived rows, or of those at the bounds of its rollup's days. Undefined where there are none. */
export async function readGroups(
  archived: Archived | undefined,
  plan: Plan,
  bucketsOf: (grouping: Grouping) => readonly Bucket[],
  split: DaySplit | undefined,
): Promise<readonly ArchivedRow[] | undefined> {
  const edges = split?.edges;
  const reach = archived && reachOf(archived, plan, edges);
  if (archived === undefined || reach === undefined) return undefined;
  const most = Math.floor(cellsMax / (1 + plan.groupings.length + 2 * plan.measures.length));
  const rows = await archived.query<ArchivedRow>(compileArchivedGroups(plan, reach, bucketsOf, edges, most + 1));
  if (rows.length > most) {
    const message = `More than ${most} groups of old rows: filter dates, or group by less`;
    throw invalidFields([{ path: ["group_by"], message }]);
  }
  return archivedGroups(plan, rows, bucketsOf, edges);
}

/** The archived rows that may be of the plan's page; undefined where there are none. */
export async function readCandidates(
  archived: Archived | undefined,
  plan: Plan,
): Promise<readonly ArchivedRow[] | undefined> {
  const reach = archived && reachOf(archived, plan);
  if (archived === undefined || reach === undefined) return undefined;
  const most = plan.skip + plan.limit;
  if (most > cellsMax / 4) {
    const message = `Among old rows only the first ${cellsMax / 4} are listed so: filter dates, or order by createdAt`;
    throw invalidFields([{ path: ["skip"], message }]);
  }
  return archived.query<ArchivedRow>(compileCandidates(plan, reach, most));
}

/** Whether no archived row comes before the last one of PostgreSQL's page in the order of time. */
export function isComplete({ intervals }: Archived, plan: Plan, page: readonly ResultRow[]): boolean {
  const order = timeOrder(plan);
  const last = order && page[plan.limit - 1]?.[`column_${plan.source.columns.indexOf(order.column)}`];
  const [first, end] = [
    intervals[0]?.from ?? Number.POSITIVE_INFINITY,
    intervals.at(-1)?.to ?? Number.NEGATIVE_INFINITY,
  ];
  return last instanceof Date && (order?.isDescending ? last.getTime() >= end : last.getTime() < first);
}

/** The page, with the columns of the rows that only the archive has. */
export async function completeRows(
  archived: Archived | undefined,
  plan: Plan,
  page: readonly ResultRow[],
): Promise<readonly ResultRow[]> {
  const missing = page.filter(({ column_0 }) => column_0 === null);
  if (archived === undefined || missing.length === 0) return page;
  const keys = missing.map(({ key, created }) => ({ id: key, created }));
  const reach = reachOf(archived, plan);
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

/** From the first date of the rows that only the archive has to the last; undefined where there are none. */
export async function readBounds(archived: Archived | undefined, plan: Plan, column: Column): Promise<Interval[]> {
  const reach = archived && reachOf(archived, plan);
  if (archived === undefined || reach === undefined) return [];
  // Whether or not each batch begins and ends with a row.
  if (isOnTimeline(plan.source, column)) return [...reach.intervals];
  const [bounds] = await archived.query<{ first: string | null; last: string | null }>(
    compileArchivedBounds(plan, reach, column),
  );
  return bounds?.first && bounds.last ? [{ from: Number(bounds.first), to: Number(bounds.last) + 1 }] : [];
}

function reachOf(archived: Archived, plan: Plan, edges?: Intervals): Reach | undefined {
  const { query: _query, ...reach } = archived;
  const intervals = intersection(edges ?? timeBounds(plan), archived.intervals);
  if (intervals.length === 0) return undefined;
  if (edges === undefined || intervals.length <= edgesMax) return { ...reach, intervals };
  // Groups of edges have a predicate of their own.
  const [from, to] = [Math.min(...edges.map((one) => one.from)), Math.max(...edges.map((one) => one.to))];
  return { ...reach, intervals: intersection([{ from, to }], archived.intervals) };
}
