// State of a report in the URL, such as
// `?source=test&filter=date:createdAt:between:["2026-11-01","2026-11-23"]&group=date:createdAt:week&
// measure=avg:passed&order=createdAt:desc&timezone=Europe/Copenhagen`. The builder's fields use the same strings.

import { viewerZone } from "../ui/locale.ts";
import { flag, oneOf, type RawSearch, text, texts, whole } from "../url/search.ts";
import type { ReportQuery } from "./query.ts";

export const datasources = [
  "test",
  "eval",
  "trace",
  "step",
  "session",
  "human_annotation",
  "feedback",
  "task",
  "topic",
  "tag",
] as const;
export type Datasource = (typeof datasources)[number];
export const charts = ["number", "line", "area", "bar", "pie", "heatmap", "table"] as const;
export type ChartKind = (typeof charts)[number];

const types = ["string", "number", "boolean", "date"] as const;
export type ColumnType = (typeof types)[number];
export const operators = ["eq", "neq", "gt", "gte", "lt", "lte", "between"] as const;
export type Operator = (typeof operators)[number];
const truncs = ["hour", "day", "week", "month", "quarter", "year"] as const;
const measures = ["count", "avg", "sum", "min", "max", "p50", "p90", "p95", "p99", "interval"] as const;

export interface ReportSearch {
  readonly source?: Datasource;
  readonly filter?: string[];
  readonly group?: string[];
  readonly measure?: string[];
  readonly order?: string[];
  readonly timezone?: string;
  readonly archived?: boolean;
  readonly chart?: ChartKind;
  readonly skip?: number;
  readonly limit?: number;
}

export type Filter = NonNullable<ReportQuery["filters"]>[number];
export type Group = NonNullable<ReportQuery["groupBy"]>[number];
export type Measurement = NonNullable<ReportQuery["measurements"]>[number];
type Order = NonNullable<ReportQuery["orderBy"]>[number];

export const pageMax = 100;
const groupsMax = 3;

export function reportSearch(raw: RawSearch): ReportSearch {
  const valid = (value: unknown, parse: (part: string) => unknown) => {
    const parts = texts(value)?.filter((part) => parse(part) !== undefined);
    return parts?.length === 0 ? undefined : parts;
  };
  return {
    source: oneOf(raw.source, datasources),
    filter: valid(raw.filter, parseFilter),
    group: valid(raw.group, parseGroup)?.slice(0, groupsMax),
    measure: valid(raw.measure, parseMeasure),
    order: valid(raw.order, parseOrder),
    timezone: text(raw.timezone),
    archived: flag(raw.archived),
    chart: oneOf(raw.chart, charts),
    skip: whole(raw.skip, 1),
    limit: whole(raw.limit, 1, pageMax),
  };
}

/** Returns the report to show if the URL has none. */
export const startingReport = (): ReportSearch => ({
  source: "test",
  group: ["date:createdAt:month"],
  measure: ["count", "avg:passed", "interval:passed"],
  timezone: viewerZone,
  limit: pageMax,
});

export function parseFilter(part: string): Filter | undefined {
  const [type, column = "", operator, ...rest] = part.split(":");
  const valid = { type: oneOf(type, types), operator: oneOf(operator, operators), value: jsonList(rest.join(":")) };
  if (valid.type === undefined || valid.operator === undefined || valid.value === undefined || column === "") return;
  return { type: valid.type, column, operator: valid.operator, value: valid.value };
}

export const filterPart = ({ type, column, operator, value }: Filter) =>
  `${type}:${column}:${operator}:${JSON.stringify(value)}`;

export function parseGroup(part: string): Group | undefined {
  const [type, column = "", trunc] = part.split(":");
  const valid = oneOf(type, types);
  const dateTrunc = oneOf(trunc, truncs);
  if (valid === undefined || column === "" || (valid === "date") !== (dateTrunc !== undefined)) return;
  return { column, type: valid, ...(dateTrunc !== undefined && { dateTrunc }) };
}

export function parseMeasure(part: string): Measurement | undefined {
  const [type, column = ""] = part.split(":");
  const valid = oneOf(type, measures);
  if (valid === undefined || (valid === "count") !== (column === "")) return;
  return valid === "count" ? { type: valid } : { type: valid, column };
}

export function parseOrder(part: string): Order | undefined {
  const [column = "", direction] = part.split(":");
  const valid = oneOf(direction, ["asc", "desc"]);
  return valid === undefined || column === "" ? undefined : { column, direction: valid };
}

/** Returns the key under which result rows contain a measurement. */
export const measureId = ({ type, column }: Measurement) => (column == null ? type : `${type}_${column}`);

const parsed = <Part>(parts: string[] | undefined, parse: (part: string) => Part | undefined): Part[] =>
  (parts ?? []).flatMap((part) => parse(part) ?? []);

export function buildQuery(search: ReportSearch): ReportQuery {
  return {
    datasource: search.source ?? "test",
    timezone: search.timezone ?? viewerZone,
    filters: parsed(search.filter, parseFilter),
    groupBy: parsed(search.group, parseGroup),
    measurements: parsed(search.measure, parseMeasure),
    orderBy: parsed(search.order, parseOrder),
    ...(search.archived === false && { includeArchived: false }),
    ...(search.skip !== undefined && { skip: search.skip }),
    limit: search.limit ?? 25,
  };
}

/** Applies a change to the query. Returns to the first page and removes sort orders of columns that are gone. */
export function changed(search: ReportSearch, change: Partial<ReportSearch>): ReportSearch {
  const next = { ...search, timezone: search.timezone ?? viewerZone, ...change, skip: undefined };
  const { groupBy, measurements } = buildQuery(next);
  const grouped = [...(groupBy ?? []).map(({ column }) => column), ...(measurements ?? []).map(measureId)];
  if (grouped.length === 0) return next;
  const ids = new Set([...grouped, ...(measurements?.length === 0 ? ["count"] : [])]);
  const order = next.order?.filter((part) => ids.has(parseOrder(part)?.column ?? ""));
  return { ...next, order: order?.length === 0 ? undefined : order };
}

function jsonList(json: string): Filter["value"] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) && value.length > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}
