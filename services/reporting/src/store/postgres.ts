// Runs plans on the views that the owners of rows publish, under the row-level security of their tables.

import type { Archive } from "@ems/archive";
import type { Database } from "@ems/kit/db/database";
import type { Read } from "@ems/kit/db/snapshot";
import { concurrencyLimited, invalidFields } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { bucketsMax } from "@ems/proto/limits";
import {
  allTime,
  type Bucket,
  buckets,
  compileBounds,
  compileGroups,
  compileNames,
  compilePast,
  compileRollupGroups,
  compileRows,
  compileStart,
  type DateTrunc,
  type DaySplit,
  dayCounts,
  fromDay,
  type Grouping,
  type Intervals,
  intersection,
  isRollupSufficient,
  needOfDayParts,
  needOfRows,
  type Past,
  type Plan,
  pastFault,
  type ReferenceNames,
  type ResultRow,
  reachesPast,
  referencedIds,
  splitByDay,
  splitIntoDays,
  timeBounds,
  timeOrder,
} from "../query/index.ts";
import { isOnTimeline, type ReferenceName } from "../sources/index.ts";
import {
  type Archived,
  completeRows,
  isComplete,
  readArchived,
  readBounds,
  readCandidates,
  readGroups,
} from "./archive.ts";
import { resolveMembers } from "./members.ts";
import { explainSlowness, limitReport } from "./slow-report.ts";
import type { Report, ReportingStore } from "./store.ts";
import { unreliableDefinitions } from "./unreliable.ts";

const settings = {
  // Rows are stored on SSDs, in the order in which reports read them.
  random_page_cost: "1.1",
  // The planner overestimates the number of groups by time that parallel workers pass on.
  parallel_tuple_cost: "0.001",
  // Compiling a report's plan takes longer than running it.
  jit: "off",
  // Enough for the groups of a rollup over a year.
  work_mem: "64MB",
};

/**
 * Maximum number of queued reports per application: the charts of several pages, less than half of the gateway's limit.
 */
const waitingMax = 100;
const retryAfterMs = 1_000;

export interface StoreOptions {
  /** Number of database connections; one application's reports get a third of them. */
  readonly connectionsMax: number;
  /** Minimum number of skipped rows for which a list starts by looking up the day of its page. */
  readonly deepSkipMin: number;
  /** Archive that contains old rows. */
  readonly archive: Archive | undefined;
}

/** Maximum number of skipped rows for which candidates are read from the archive. */
const candidatesMax = 1_000;

/** Access to the database for one report. */
interface Reader {
  readonly read: Read;
  readonly applicationId: string;
  readonly archived: Archived | undefined;
}

export function postgresStore(
  database: Database,
  { connectionsMax, deepSkipMin, archive }: StoreOptions,
): ReportingStore {
  const limiter = new TenantConcurrencyLimiter({
    maxPerKey: Math.max(1, Math.floor(connectionsMax / 3)),
    queueMaxPerKey: waitingMax,
    reject: () => concurrencyLimited("Too many reports of this application at once", retryAfterMs),
  });
  return {
    run(caller, requested) {
      const { applicationId } = caller.tenant;
      const call = limitReport(caller);
      const report = limiter.run(applicationId, call.signal, () =>
        database.snapshot(call, settings, async (read) => {
          const plan = await resolveMembers(read, applicationId, requested);
          const [past, archived] = await Promise.all([
            readPast(read, applicationId, plan),
            readArchived(archive, call, read, plan),
          ]);
          const reader = { read, applicationId, archived };
          const isDeep = plan.skip >= (archived === undefined ? deepSkipMin : Math.min(candidatesMax, deepSkipMin));
          const readPage = plan.isGrouped ? groups : isDeep ? deepList : list;
          const page = await readPage(reader, plan, past);
          const getGroups = async (counted: Plan) => {
            const days = isRollupSufficient(counted) ? past : undefined;
            return (await groups(reader, counted, days)).rows;
          };
          return {
            ...page,
            names: await readNames(read, applicationId, plan, page.rows),
            unreliable: await unreliableDefinitions(read, applicationId, plan, getGroups),
          };
        }),
      );
      return report.catch((error: unknown) => {
        throw explainSlowness(error, requested);
      });
    },
  };
}

type Page = Omit<Report, "names" | "unreliable">;

/** Returns the days of the plan whose rows are past their retention. Throws if sums of days cannot answer the plan. */
async function readPast(read: Read, applicationId: string, plan: Plan): Promise<Past | undefined> {
  const statement = compilePast(applicationId, plan.source);
  if (statement === undefined) return undefined;
  const [retained] = await read<{ since: Date | null; first: Date | null }>(statement);
  if (!retained?.since || !retained.first) return undefined;
  const past = { from: retained.first.getTime(), to: retained.since.getTime() };
  if (!reachesPast(plan, past)) return undefined;
  if (!isRollupSufficient(plan)) throw invalidFields([pastFault(needOfRows(plan), past)]);
  return past;
}

async function list(reader: Reader, plan: Plan): Promise<Page> {
  const [rows, count] = await Promise.all([readRows(reader, plan), groups(reader, planCount(plan))]);
  return { ...rows, total: Number(count.rows[0]?.rows ?? 0), readFrom: rows.readFrom ?? count.readFrom };
}

async function readRows({ read, applicationId, archived }: Reader, plan: Plan) {
  const own = () => read<ResultRow>(compileRows(applicationId, plan));
  if (archived === undefined) return { rows: await own() };
  if (timeOrder(plan) !== undefined) {
    const rows = await own();
    if (isComplete(archived, plan, rows)) return { rows };
  }
  const part = await readCandidates(archived, plan);
  if (part === undefined) return { rows: await own() };
  const page = await read<ResultRow>(compileRows(applicationId, plan, part));
  return { rows: await completeRows(archived, plan, page), readFrom: "archive" as const };
}

async function deepList(reader: Reader, plan: Plan): Promise<Page> {
  const order = timeOrder(plan);
  if (order === undefined || !isRollupSufficient(planCount(plan))) return list(reader, plan);
  const days = await groups(reader, dayCounts(plan, order));
  const counts = days.rows.map(({ group_0, rows }) => ({ day: Number(group_0), rows: Number(rows) }));
  const total = counts.reduce((sum, { rows }) => sum + rows, 0);
  if (plan.skip >= total) return { rows: [], total, readFrom: days.readFrom };
  const page = await readRows(reader, fromDay(plan, counts, order.isDescending));
  return { total, readFrom: days.readFrom, ...page };
}

/** Plans a report that counts the rows. */
function planCount(plan: Plan): Plan {
  const measures = [{ id: "count", type: "count" as const }];
  return { ...plan, isGrouped: true, groupings: [], measures, order: [], skip: 0, limit: 1 };
}

async function groups(reader: Reader, plan: Plan, past?: Past): Promise<Page> {
  const { read, applicationId, archived } = reader;
  const bucketsByGrouping = new Map<Grouping, readonly Bucket[]>();
  for (const grouping of plan.groupings) {
    if (grouping.trunc === undefined) continue;
    bucketsByGrouping.set(grouping, await readBuckets(reader, plan, grouping, grouping.trunc, past));
  }
  const isComplete = await isRollupComplete(reader, plan);
  const split =
    past !== undefined
      ? pastSplit(plan, bucketsByGrouping, past)
      : isComplete
        ? rollupSplit(plan, bucketsByGrouping)
        : undefined;
  const bucketList = (grouping: Grouping) => bucketsByGrouping.get(grouping) ?? [];
  const part = await readGroups(archived, plan, bucketList, split);
  const compile = (page: Plan) =>
    split === undefined
      ? compileGroups(applicationId, page, bucketList, part)
      : compileRollupGroups(applicationId, page, split, part);
  const rows = await read<ResultRow>(compile(plan));
  const isPastEnd = rows.length === 0 && plan.skip > 0;
  const [first] = isPastEnd ? await read<ResultRow>(compile({ ...plan, skip: 0, limit: 1 })) : rows;
  const readFrom = part !== undefined ? "archive" : split === undefined ? "rows" : "rollup";
  return { rows, total: Number(first?.total ?? 0), readFrom };
}

/** Returns true if the rollup has sums of all days of the plan. */
async function isRollupComplete({ read, applicationId }: Reader, plan: Plan): Promise<boolean> {
  const statement = compileStart(applicationId, plan.source);
  const [row] = statement === undefined ? [] : await read<{ starts: Date }>(statement);
  return row === undefined || timeBounds(plan).every(({ from }) => from >= row.starts.getTime());
}

type BucketsByGrouping = ReadonlyMap<Grouping, readonly Bucket[]>;

function rollupSplit(plan: Plan, bucketsByGrouping: BucketsByGrouping): DaySplit | undefined {
  return isRollupSufficient(plan) ? splitByDay(plan, timeBounds(plan), timeline(plan, bucketsByGrouping)) : undefined;
}

/** Splits days past retention, which can only be read as whole days. */
function pastSplit(plan: Plan, bucketsByGrouping: BucketsByGrouping, past: Past): DaySplit {
  const split = splitIntoDays(plan, timeBounds(plan), timeline(plan, bucketsByGrouping));
  const path = needOfDayParts(plan, split, past);
  if (path !== undefined) throw invalidFields([pastFault(path, past)]);
  return split;
}

/** Returns the buckets of the plan's grouping by time, if there is one. */
function timeline({ groupings, source }: Plan, bucketsByGrouping: BucketsByGrouping): readonly Bucket[] | undefined {
  const grouping = groupings.find(({ column }) => isOnTimeline(source, column));
  return grouping && (bucketsByGrouping.get(grouping) ?? []);
}

const hourMs = 3_600_000;
const shortestMs = { hour: hourMs, day: 23 * hourMs, week: 167 * hourMs, month: 28 * 24 * hourMs } as const;

/** Reads the buckets of a grouping, from the first to the last date that matches the plan. */
async function readBuckets(
  { read, applicationId, archived }: Reader,
  plan: Plan,
  grouping: Grouping,
  trunc: DateTrunc,
  past: Past | undefined,
): Promise<Bucket[]> {
  const [bounds] = await read<{ first: Date | null; last: Date | null }>(
    compileBounds(applicationId, plan, grouping.column),
  );
  const rows = bounds?.first && bounds.last ? [{ from: bounds.first.getTime(), to: bounds.last.getTime() + 1 }] : [];
  const parts = [
    ...(past === undefined ? [] : [past]),
    ...(await readBounds(archived, plan, grouping.column)),
    ...rows,
  ];
  const [first, last] = [Math.min(...parts.map((part) => part.from)), Math.max(...parts.map((part) => part.to))];
  const requested = intersection(requestedBounds(plan, grouping), [{ from: first, to: last }]);
  const [from, to] = [requested[0]?.from, requested.at(-1)?.to];
  if (from === undefined || to === undefined) return [];
  const unitMs = trunc === "quarter" || trunc === "year" ? shortestMs.month : shortestMs[trunc];
  if ((to - from) / unitMs > bucketsMax) {
    const path = ["group_by", plan.groupings.indexOf(grouping), "date_trunc"];
    throw invalidFields([
      { path, message: `More than ${bucketsMax} buckets: use a longer dateTrunc, or filter dates` },
    ]);
  }
  return buckets(plan.zone, trunc, { from, to });
}

/** Returns the dates in the column that the plan's filters select. */
function requestedBounds(plan: Plan, { column }: Grouping): Intervals {
  if (isOnTimeline(plan.source, column)) return timeBounds(plan);
  const filter = plan.filters.find((candidate) => candidate.kind === "date" && candidate.column === column);
  return filter?.kind === "date" ? filter.intervals : allTime;
}

async function readNames(
  read: Read,
  applicationId: string,
  plan: Plan,
  rows: readonly ResultRow[],
): Promise<ReferenceNames> {
  const names = await Promise.all(
    [...referencedIds(plan, rows)].map(async ([reference, ids]): Promise<[ReferenceName, Map<string, string>]> => {
      const found = await read<{ id: string; name: string }>(compileNames(applicationId, reference, ids));
      return [reference, new Map(found.map(({ id, name }) => [id, name]))];
    }),
  );
  return new Map(names);
}
