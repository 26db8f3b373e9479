// Compiles pages of groups from a rollup: whole days come from it, the rows at the edges of buckets from the source
// (rollup.ts).

import { Parameters } from "@ems/kit/db/parameters";
import { type Column, getHistogramView, isOnTimeline } from "../sources/index.ts";
import { fromRollup, fromRows, listAggregates, toNames } from "./aggregates.ts";
import {
  type Aggregates,
  type ArchivedRow,
  archivedRows,
  type Compiled,
  compilePage,
  groupBy,
  sumParts,
} from "./compile.ts";
import { type Histogram, histogramOfRows, listHistograms } from "./histogram.ts";
import type { Grouping, Plan } from "./plan.ts";
import { instant, rollupPredicate, rowPredicate } from "./predicates.ts";
import { type DaySplit, type Edge, matchingRows } from "./rollup.ts";

/** Compiles a page of groups from a rollup. Each result has `total`, the number of groups. */
export function compileRollupGroups(
  applicationId: string,
  plan: Plan,
  { wholeDays, edges }: DaySplit,
  archived: readonly ArchivedRow[] = [],
): Compiled {
  const parameters = new Parameters(applicationId);
  const aggregates = listAggregates(plan.measures);
  const parts = [
    ...(wholeDays.length > 0 || edges.length === 0 ? [dayRows(plan, aggregates, wholeDays, parameters)] : []),
    ...(edges.length > 0 ? [edgeRows(plan, aggregates, edges, parameters)] : []),
    ...(archived.length > 0 ? [archivedRows(plan, aggregates, archived, parameters)] : []),
  ];
  return compilePage(plan, sumParts(plan, parts), parameters);
}

const dayMs = 86_400_000;

type WholeDays = DaySplit["wholeDays"];

function dayRows(plan: Plan, aggregates: Aggregates, days: WholeDays, parameters: Parameters): string {
  const { source, groupings } = plan;
  if (source.rollup === undefined) throw new Error(`${source.id} has no rollup`);
  const { view, dimensions, sums } = source.rollup;
  const hasBuckets = groupings.some(({ column }) => isOnTimeline(source, column));
  const bucket = hasBuckets ? bucketOfDay(days, parameters) : undefined;
  const keySql = (column: Column) => (bucket && isOnTimeline(source, column) ? bucket : dimensions[column.id]);
  const keys = groupings.map(({ column }, at) => `${keySql(column)} AS group_${at}`);
  const bounds = hasBuckets ? dayBounds(days, parameters) : anyOf(days.map((day) => dayBounds([day], parameters)));
  const predicates = [rollupPredicate(plan, parameters), bounds, ...(bucket ? [`${bucket} <> ${noBucket}`] : [])];
  const histograms = listHistograms(plan.measures);
  const part = (from: string, rows: readonly string[], own?: Histogram) => {
    const isOwn = (histogram: Histogram) => histogram === own;
    const buckets = histograms.map((each) => `${isOwn(each) ? "r.bucket" : "NULL::int"} AS ${each.bucket}`);
    const hits = histograms.map((each) => `${isOwn(each) ? "sum(r.hits)" : "0"} AS ${each.hits}`);
    return `
    SELECT ${[...keys, ...buckets, "1 AS sign", ...rows, ...hits].join(", ")}
    FROM ${from}
    WHERE ${predicates.join(" AND ")}
    ${groupBy(keys.length + buckets.length)}`;
  };
  const rows = [`sum(${matchingRows(plan)}) AS rows`, ...fromRollup(aggregates, sums)];
  const noRows = ["0 AS rows", ...toNames(aggregates).map((name) => `NULL AS ${name}`)];
  const ofBuckets = histograms.map((each) => part(getHistogramView(source, each.column), noRows, each));
  return [part(view, rows), ...ofBuckets].join(" UNION ALL ");
}

/** Stands for a day in no bucket. Not null, because PostgreSQL finds an element of an array without nulls faster. */
const noBucket = "'-infinity'";

/** Builds the SQL for the start of the bucket of a rollup row, from an array that is indexed by day. */
function bucketOfDay(days: WholeDays, parameters: Parameters): string {
  const [first = 0, end = 0] = [days[0]?.from, days.at(-1)?.to];
  const day = (ms: number) => Math.round((ms - first) / dayMs);
  const starts = new Array<string>(Math.max(0, day(end))).fill("-infinity");
  for (const { from, to, bucket } of days) if (bucket !== null) starts.fill(instant(bucket), day(from), day(to));
  const list = parameters.add(starts, "timestamptz[]");
  return `(${list})[1 + (r.day - ${parameters.add(toDate(first), "date")})]`;
}

function anyOf(predicates: readonly string[]): string {
  return predicates.length > 0 ? `(${predicates.map((predicate) => `(${predicate})`).join(" OR ")})` : "false";
}

/** Builds the condition for days from the first to the last one. */
function dayBounds(days: WholeDays, parameters: Parameters): string {
  const [from = 0, to = 0] = [days[0]?.from, days.at(-1)?.to];
  const bounds = [
    ...(Number.isFinite(from) ? [`r.day >= ${parameters.add(toDate(from), "date")}`] : []),
    ...(Number.isFinite(to) ? [`r.day < ${parameters.add(toDate(to), "date")}`] : []),
  ];
  return bounds.length > 0 ? bounds.join(" AND ") : "true";
}

function toDate(ms: number): string {
  const text = instant(ms);
  return text.includes("infinity") ? text : text.slice(0, 10);
}

/** Selects each edge's groups for the bucket that gains them, and with sign -1 for the bucket that loses them. */
function edgeRows(plan: Plan, aggregates: Aggregates, edges: readonly Edge[], parameters: Parameters): string {
  const { source, groupings } = plan;
  const list = (value: (edge: Edge) => unknown, type: string) => parameters.add(edges.map(value), `${type}[]`);
  const moment = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : instant(ms));
  const columns = [
    list((edge) => instant(edge.from), "timestamptz"),
    list((edge) => instant(edge.to), "timestamptz"),
    list((edge) => edge.addTo !== undefined, "boolean"),
    list((edge) => moment(edge.addTo), "timestamptz"),
    list((edge) => edge.subtractFrom !== undefined, "boolean"),
    list((edge) => moment(edge.subtractFrom), "timestamptz"),
  ];
  const onTimeline = ({ column }: Pick<Grouping, "column">) => isOnTimeline(source, column);
  const inner = groupings.flatMap((key, at) => (onTimeline(key) ? [] : [`${key.column.sql} AS group_${at}`]));
  const keys = groupings.map((key, at) => (onTimeline(key) ? `side.bucket AS group_${at}` : `edge.group_${at}`));
  const histograms = listHistograms(plan.measures);
  const { buckets, hits } = histogramOfRows(histograms);
  inner.push(...buckets);
  keys.push(...histograms.map(({ bucket }) => `edge.${bucket}`));
  const names = [...toNames(aggregates), ...histograms.map((histogram) => histogram.hits)];
  const predicate = rowPredicate(plan, parameters, onTimeline);
  // OFFSET 0 is an optimization fence, so that each edge is read once instead of once per side.
  return `
    SELECT ${[...keys, "side.sign", "edge.rows", ...names.map((name) => `edge.${name}`)].join(", ")}
    FROM (
      SELECT bounds.*, groups.*
      FROM unnest(${columns.join(", ")}) bounds (starts, ends, is_added, add_to, is_subtracted, subtract_from)
        CROSS JOIN LATERAL (
          SELECT ${[...inner, "count(*) AS rows", ...fromRows(aggregates), ...hits].join(", ")}
          FROM ${source.from}
          WHERE ${predicate} AND s.created_at >= bounds.starts AND s.created_at < bounds.ends
          ${groupBy(inner.length)}
        ) groups
      OFFSET 0
    ) edge JOIN LATERAL (VALUES (edge.is_added, edge.add_to, 1), (edge.is_subtracted, edge.subtract_from, -1))
      side (applies, bucket, sign) ON side.applies`;
}
