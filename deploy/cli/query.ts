// Parses the options of `ems report` into a report query.

import { usage } from "./failure.ts";

/** A column of a datasource, as the API describes it. */
export interface QueryColumn {
  readonly id: string;
  readonly type: string;
}

export interface QueryOptions {
  readonly group?: readonly string[];
  readonly measure?: readonly string[];
  readonly filter?: readonly string[];
  readonly order?: readonly string[];
  readonly timezone?: string;
  readonly skip?: number;
  readonly limit?: number;
  readonly archived?: boolean;
}

/** Builds the body of POST /v0/reporting/query. The API validates names and operators. */
export function readQuery(datasource: string, columns: readonly QueryColumn[], options: QueryOptions) {
  const { group, measure, filter, order, timezone, skip, limit, archived } = options;
  const findType = (id: string) => {
    const column = columns.find((candidate) => candidate.id === id);
    if (column !== undefined) return column.type;
    throw usage(
      `${datasource} has no column ${JSON.stringify(id)}; it has ${columns.map((candidate) => candidate.id).join(", ")}`,
    );
  };
  return {
    datasource,
    timezone: timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(group && { groupBy: group.map((text) => parseGroup(text, findType)) }),
    ...(measure && { measurements: measure.map(parseMeasurement) }),
    ...(filter && { filters: filter.map((text) => parseFilter(text, findType)) }),
    ...(order && { orderBy: order.map(parseOrder) }),
    ...(skip !== undefined && { skip }),
    ...(limit !== undefined && { limit }),
    ...(archived === false && { includeArchived: false }),
  };
}

type FindType = (column: string) => string;

function parseGroup(text: string, findType: FindType) {
  const [column = "", trunc] = text.split(":");
  const type = findType(column);
  const dateTrunc = trunc ?? (type === "date" ? "day" : undefined);
  return { column, type, ...(dateTrunc && { dateTrunc }) };
}

function parseMeasurement(text: string) {
  const [type = "", column] = text.split(":");
  return { type, ...(column && { column }) };
}

function parseOrder(text: string) {
  const [column = "", direction = "asc"] = text.split(":");
  return { column, direction };
}

function parseFilter(text: string, findType: FindType) {
  const [, column, operator, values] = /^([^:]+):([^:]+):(.*)$/s.exec(text) ?? [];
  if (column === undefined || operator === undefined || values === undefined) {
    throw usage(`A filter is column:operator:value,…, not ${JSON.stringify(text)}`);
  }
  const type = findType(column);
  return { type, column, operator, value: values.split(",").map((value) => parseValue(value, type)) };
}

/** Parses a value by the column's type. An invalid value stays a text, for which the API returns an issue. */
function parseValue(text: string, type: string): string | number | boolean {
  if (type === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
