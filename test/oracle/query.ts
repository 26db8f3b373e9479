// Random valid report queries; tables of cases test invalid ones.

import type { Random } from "./random.ts";
import { toNumber } from "./rational.ts";
import type { Cell, Datasource, ReferenceModel, Row } from "./reference-model.ts";
import { type Unit, units, type ZoneView } from "./zones.ts";

export type Type = "string" | "number" | "boolean" | "date";

export interface Filter {
  readonly type: Type;
  readonly column: string;
  readonly operator: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "between";
  readonly value: readonly (string | number | boolean)[];
}

export interface Query {
  readonly datasource: Datasource;
  readonly timezone: string;
  readonly filters: readonly Filter[];
  readonly groupBy: readonly { readonly column: string; readonly type: Type; readonly dateTrunc?: Unit }[];
  readonly measurements: readonly { readonly type: string; readonly column?: string }[];
  readonly orderBy: readonly { readonly column: string; readonly direction: "asc" | "desc" }[];
  readonly includeArchived?: boolean;
}

const columns = (text: string, types: Partial<Record<Type, string>>): Readonly<Record<string, Type>> => {
  const typed = Object.entries(types).flatMap(([type, names]) => names.split(" ").map((name) => [name, type]));
  return Object.fromEntries([...text.split(" ").map((name) => [name, "string"]), ...typed]);
};

/** Columns of each datasource and their types, by the specification. */
export const datasources: Readonly<Record<Datasource, Readonly<Record<string, Type>>>> = {
  task: columns("id orgId applicationId title description type status topicId", {
    boolean: "isVerified",
    number: "passRate errored",
    date: "createdAt modifiedAt lastTest",
  }),
  test: columns("id orgId applicationId taskId topicId runId runType status outcome errorCause", {
    number:
      "score durationMs cost unpricedSteps inputTokens cachedInputTokens cacheWriteTokens outputTokens reasoningTokens",
    boolean: "passed errored",
    date: "createdAt modifiedAt",
  }),
  eval: columns(
    "id orgId applicationId testId taskId topicId definitionId definitionType status judgeVersion model runId runType",
    {
      number: "score inputTokens outputTokens cost uncertainCost estimatedTokens durationMs",
      boolean: "passed errored",
      date: "createdAt modifiedAt",
    },
  ),
  trace: columns("id orgId applicationId referenceId testId type status user session service version environment", {
    boolean: "errored",
    number:
      "stepCount durationMs cost unpricedSteps inputTokens cachedInputTokens cacheWriteTokens outputTokens reasoningTokens",
    date: "timestamp createdAt modifiedAt",
  }),
  step: columns(
    "id orgId applicationId traceId testId type status name model provider tool error user session service version environment",
    {
      boolean: "errored",
      number:
        "durationMs cost unpricedSteps inputTokens cachedInputTokens cacheWriteTokens outputTokens reasoningTokens",
      date: "timestamp createdAt",
    },
  ),
  session: columns("id orgId applicationId externalId user", {
    boolean: "errored",
    number:
      "turns errors durationMs cost unpricedSteps inputTokens cachedInputTokens cacheWriteTokens outputTokens reasoningTokens",
    date: "startedAt lastAt createdAt",
  }),
  human_annotation: columns("id orgId applicationId traceId testId taskId topicId annotatorId source definitionId", {
    number: "score",
    boolean: "verdict",
    date: "createdAt modifiedAt",
  }),
  topic: columns("id orgId applicationId title status assignedTo", {
    number: "baseline taskCount documentCount",
    boolean: "isInScope isTasksVerified isDocumentsVerified isKnowledgeBaseVerified isPoliciesVerified",
    date: "createdAt modifiedAt",
  }),
  tag: columns("id orgId applicationId name color status description", {
    number: "taskCount",
    date: "createdAt modifiedAt",
  }),
};

/** Filters by ids of which a row can have several. Its cell has all, separated by spaces. */
export const memberships: Partial<Readonly<Record<Datasource, readonly string[]>>> = {
  test: ["definitionId", "tagId"],
  eval: ["tagId"],
};

export function randomQuery(model: ReferenceModel, zone: ZoneView, random: Random): Query {
  const datasource = random.pick<Datasource>([
    ...(["test", "test", "test", "eval", "eval", "eval"] as const),
    ...(["trace", "trace", "step", "step", "step", "session"] as const),
    ...(["human_annotation", "human_annotation", "task", "task", "topic", "tag"] as const),
  ]);
  const types = Object.entries(datasources[datasource]);
  // Rollups have only these columns: half of the queries use no others.
  const rollupColumns = [
    "createdAt",
    "modifiedAt",
    "topicId",
    "definitionId",
    "definitionType",
    "runType",
    "status",
    "passed",
    "errored",
    "model",
    "provider",
    "tool",
    "type",
  ];
  const isFromRollups = random.is(0.5);
  const eligible = types.filter(([name]) => !isFromRollups || rollupColumns.includes(name));
  const rows = model.rows[datasource];
  const filters = random
    .sample(eligible, random.pick([0, 0, 1, 1, 2, 3]))
    .map(([column, type]) => randomFilter(column, type, rows, zone, random));
  const [membership] = random.sample(memberships[datasource] ?? [], random.is(0.2) ? 1 : 0);
  if (membership !== undefined) filters.push(randomMembership(membership, rows, random));
  if (datasource === "task" && random.is(0.5)) filters.push(randomSelection(random));
  const groupBy = random.sample(eligible, random.pick([0, 0, 1, 1, 2, 2, 3])).map(([column, type]) => ({
    column,
    type,
    // Hours are rare, since years have many of them.
    ...(type === "date" && { dateTrunc: random.pick(random.is(0.1) ? units : longUnits) }),
  }));
  const measurable = types.filter(([, type]) => type === "number" || type === "boolean").map(([name]) => name);
  const numbers = types.filter(([, type]) => type === "number").map(([name]) => name);
  const measurementCount = groupBy.length > 0 || random.is(0.3) ? random.int(0, 4) : 0;
  const measurements = random.sample(
    [
      { type: "count" },
      ...["avg", "sum", "min", "max", "interval"].flatMap((type) => measurable.map((column) => ({ type, column }))),
      ...percentiles.flatMap((type) => numbers.map((column) => ({ type, column }))),
    ],
    measurementCount,
  );
  const isGrouped = groupBy.length > 0 || measurements.length > 0;
  // Results cannot be ordered by an interval, and percentiles are not exact.
  const ordered = measurements.filter(({ type }) => type !== "interval" && !percentiles.includes(type));
  const measurementIds = measurements.length > 0 ? ordered.map(measureId) : ["count"];
  const orderable = isGrouped
    ? [...groupBy.map(({ column }) => column), ...measurementIds]
    : types.map(([name]) => name);
  const orderBy = random
    .sample(orderable, random.pick([0, 0, 1, 2]))
    .map((column) => ({ column, direction: random.pick(["asc", "desc"] as const) }));
  const query = { datasource, timezone: zone.name, filters, groupBy, measurements, orderBy };
  return random.is(0.8) ? query : { ...query, includeArchived: random.is(0.3) };
}

export const percentiles: readonly string[] = ["p50", "p90", "p95", "p99"];

export function measureId({ type, column }: { type: string; column?: string }): string {
  return column === undefined ? type : `${type}_${column}`;
}

function randomFilter(column: string, type: Type, rows: readonly Row[], zone: ZoneView, random: Random): Filter {
  const values = rows.map((row) => row[column] ?? null).filter((value) => value !== null);
  const pickValue = (): string | number | boolean => {
    const value: Cell = values.length > 0 ? random.pick(values) : fallback[type];
    if (type === "date") return randomDate(typeof value === "number" ? value : 0, zone, random);
    if (typeof value === "object" && value !== null && "top" in value) return perturbed(toNumber(value), random);
    return typeof value === "object" ? "" : value;
  };
  if (type === "string") {
    const value = Array.from({ length: random.pick([1, 1, 2, 5]) }, pickValue);
    return { type, column, operator: random.pick(["eq", "eq", "neq"]), value };
  }
  if (type === "boolean") return { type, column, operator: random.pick(["eq", "neq"]), value: [pickValue()] };
  const operator = random.pick(["eq", "neq", "gt", "gte", "lt", "lte", "between"] as const);
  return { type, column, operator, value: operator === "between" ? [pickValue(), pickValue()] : [pickValue()] };
}

function randomMembership(column: string, rows: readonly Row[], random: Random): Filter {
  const ids = [...new Set(rows.flatMap((row) => String(row[column]).split(" ")))].filter((id) => id !== "");
  const value = random.sample(ids, random.int(1, 3));
  const unknown = "01890000-0000-7000-8000-000000000000";
  const operator = random.pick(["eq", "eq", "neq"] as const);
  return { type: "string", column, operator, value: value.length > 0 ? value : [unknown] };
}

/** Selects tests by the type of their run. */
function randomSelection(random: Random): Filter {
  const types = ["MANUAL", "SCHEDULED", "EXPERIMENT", "MONITORING", "UNKNOWN"];
  const operator = random.pick(["eq", "eq", "neq"] as const);
  return { type: "string", column: "runType", operator, value: random.sample(types, random.int(1, 3)) };
}

const fallback: Readonly<Record<Type, Cell>> = { string: "none", number: 0, boolean: true, date: 0 };

const longUnits = units.filter((unit) => unit !== "hour");

/** Returns the number, or sometimes one that is finer or larger than can be stored. */
function perturbed(value: number, random: Random): number {
  return value + random.pick([0, 0, 0, 0.000_000_4, -0.000_000_4, 1e15, -1e22]);
}

function randomDate(at: number, zone: ZoneView, random: Random): string {
  const near = at + random.pick([0, 0, 0, 3_600_000, -86_400_000, 86_400_000 * 30]);
  if (random.is(0.6)) return zone.date(near);
  if (random.is(0.3)) return new Date(near).toISOString().replace("Z", `${random.pick(["", "0", "4999"])}Z`);
  const offset = random.pick(["+05:45", "-03:30", "+14:00"]);
  const ahead =
    (offset.startsWith("-") ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))) * 60_000;
  return new Date(near + ahead).toISOString().replace("Z", offset);
}
