import { get } from "../api/request.ts";
import { queryReport } from "./query.ts";
import { type Datasource, pageMax } from "./report-search.ts";

export const listColumns = (id: Datasource) =>
  get("/v0/reporting/datasources/{id}/columns", { params: { path: { id } } });

/** Request for a column's most frequent values, to complete typed values. */
export const listValues = (datasource: Datasource, column: string) =>
  queryReport({
    datasource,
    timezone: "UTC",
    limit: pageMax,
    groupBy: [{ column, type: "string" }],
    measurements: [{ type: "count" }],
    orderBy: [{ column: "count", direction: "desc" }],
  });
