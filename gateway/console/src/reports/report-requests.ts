import { get } from "../api/request.ts";
import { queryReport } from "./query.ts";
import { type Datasource, pageMax } from "./report-search.ts";
import type { SourceColumn } from "./report-words.ts";

export const listColumns = (id: Datasource) =>
  get("/v0/reporting/datasources/{id}/columns", { params: { path: { id } } });

/** Data sources whose rows have the ids that a filter-only column names, with the column of their names. */
const named: Readonly<Record<string, { source: Datasource; column: string; name?: string }>> = {
  definitionId: { source: "eval", column: "definitionId" },
  tagId: { source: "tag", column: "id", name: "name" },
};

/**
 * Request for a column's most frequent values, to complete typed values, and the columns of the results with the value (or
 * a reference) and with its name.
 */
export function listValues(datasource: Datasource, { id, isFilterOnly }: Pick<SourceColumn, "id" | "isFilterOnly">) {
  const { source, column, name } = (isFilterOnly ? named[id] : undefined) ?? { source: datasource, column: id };
  const request = queryReport({
    datasource: source,
    timezone: "UTC",
    limit: pageMax,
    groupBy: [column, ...(name === undefined ? [] : [name])].map((each) => ({ column: each, type: "string" })),
    measurements: [{ type: "count" }],
    orderBy: [{ column: "count", direction: "desc" }],
  });
  return { request, column, name };
}
