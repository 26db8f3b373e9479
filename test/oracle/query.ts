// Random reports. Only such as are well-formed: what is not is the matter of tables of cases.

import type { Chance } from "./random.ts";
import { toNumber } from "./rational.ts";
import type { Cell, Datasource, Row, World } from "./reference-model.ts";
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

/** The columns of each datasource and their types, as the specification has them. */
export const datasources: Readonly<Record<Datasource, Readonly<Record<string, Type>>>> = {
  task: columns("id orgId applicationId title description type status topicId", {
    boolean: "isVerified",
    number: "passRate",
    date: "createdAt modifiedAt lastTest",
  }),
  test: columns("id orgId applicationId taskId topicId runId runType status", {
    number: "score durationMs",
    boolean: "passed",
    date: "createdAt modifiedAt",
  }),
  eval: columns("id orgId applicationId testId taskId topicId definitionId definitionType status", {
    number: "score",
    boolean: "passed",
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

export function randomQuery(world: World, zone: ZoneView, chance: Chance): Query {
  const datasource = chance.pick<Datasource>(["test", "test", "test", "eval", "eval", "eval", "task", "topic", "tag"]);
  const types = Object.entries(datasources[datasource]);
  // Sums by day know some columns only: half of the reports stay with those.
  const summed = [
    "createdAt",
    "modifiedAt",
    "topicId",
    "definitionId",
    "definitionType",
    "runType",
    "status",
    "passed",
  ];
  const isSummed = chance.is(0.5);
  const eligible = types.filter(([name]) => !isSummed || summed.includes(name));
  const rows = world.rows[datasource];
  const filters = chance
    .some(eligible, chance.pick([0, 0, 1, 1, 2, 3]))
    .map(([column, type]) => randomFilter(column, type, rows, zone, chance));
  const groupBy = chance.some(eligible, chance.pick([0, 0, 1, 1, 2, 2, 3])).map(([column, type]) => ({
    column,
    type,
    // Hours of years are many: rarely.
    ...(type === "date" && { dateTrunc: chance.pick(chance.is(0.1) ? units : longUnits) }),
  }));
  const measurable = types.filter(([, type]) => type === "number" || type === "boolean").map(([name]) => name);
  const wanted = groupBy.length > 0 || chance.is(0.3) ? chance.int(0, 4) : 0;
  const measurements = chance.some(
    [
      { type: "count" },
      ...["avg", "sum", "min", "max"].flatMap((type) => measurable.map((column) => ({ type, column }))),
    ],
    wanted,
  );
  const isGrouped = groupBy.length > 0 || measurements.length > 0;
  const counted = measurements.length > 0 ? measurements.map(measureId) : ["count"];
  const orderable = isGrouped ? [...groupBy.map(({ column }) => column), ...counted] : types.map(([name]) => name);
  const orderBy = chance
    .some(orderable, chance.pick([0, 0, 1, 2]))
    .map((column) => ({ column, direction: chance.pick(["asc", "desc"] as const) }));
  const query = { datasource, timezone: zone.name, filters, groupBy, measurements, orderBy };
  return chance.is(0.8) ? query : { ...query, includeArchived: chance.is(0.3) };
}

export function measureId({ type, column }: { type: string; column?: string }): string {
  return column === undefined ? type : `${type}_${column}`;
}

function randomFilter(column: string, type: Type, rows: readonly Row[], zone: ZoneView, chance: Chance): Filter {
  const values = rows.map((row) => row[column] ?? null).filter((value) => value !== null);
  const one = (): string | number | boolean => {
    const value: Cell = values.length > 0 ? chance.pick(values) : fallback[type];
    if (type === "date") return randomDate(typeof value === "number" ? value : 0, zone, chance);
    if (typeof value === "object" && value !== null) return nudged(toNumber(value), chance);
    return value === null ? "" : value;
  };
  if (type === "string") {
    const value = Array.from({ length: chance.pick([1, 1, 2, 5]) }, one);
    return { type, column, operator: chance.pick(["eq", "eq", "neq"]), value };
  }
  if (type === "boolean") return { type, column, operator: chance.pick(["eq", "neq"]), value: [one()] };
  const operator = chance.pick(["eq", "neq", "gt", "gte", "lt", "lte", "between"] as const);
  return { type, column, operator, value: operator === "between" ? [one(), one()] : [one()] };
}

const fallback: Readonly<Record<Type, Cell>> = { string: "none", number: 0, boolean: true, date: 0 };

const longUnits = units.filter((unit) => unit !== "hour");

/** Now and then a number that is finer than what can be stored, or greater. */
function nudged(value: number, chance: Chance): number {
  return value + chance.pick([0, 0, 0, 0.000_000_4, -0.000_000_4, 1e15, -1e22]);
}

function randomDate(at: number, zone: ZoneView, chance: Chance): string {
  const near = at + chance.pick([0, 0, 0, 3_600_000, -86_400_000, 86_400_000 * 30]);
  if (chance.is(0.6)) return zone.date(near);
  if (chance.is(0.3)) return new Date(near).toISOString().replace("Z", `${chance.pick(["", "0", "4999"])}Z`);
  const offset = chance.pick(["+05:45", "-03:30", "+14:00"]);
  const ahead =
    (offset.startsWith("-") ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))) * 60_000;
  return new Date(near + ahead).toISOString().replace("Z", offset);
}
