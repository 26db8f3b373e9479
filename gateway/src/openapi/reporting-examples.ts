// Examples of reports: a query and its answer that belong together.

import type { JsonValue } from "@bufbuild/protobuf";

const topicId = "019a7d3c-4c1e-7a52-9d0b-6f3f0c2a9b17";
const month = { column: "createdAt", type: "date", dateTrunc: "month" };
const topic = { column: "topicId", type: "string" };
const score = { type: "avg", column: "score" };
const count = { type: "count" };

export const reportingExamples: Readonly<Record<string, JsonValue>> = {
  datasource: "eval",
  timezone: "Europe/Copenhagen",
  includeArchived: true,
  "QueryReportRequest.filters": [
    { type: "date", column: "createdAt", operator: "between", value: ["2026-01-01", "2026-03-31"] },
    { type: "string", column: "status", operator: "eq", value: ["COMPLETED"] },
  ],
  "QueryReportRequest.groupBy": [month, topic],
  "QueryReportRequest.measurements": [score, count],
  "QueryReportRequest.orderBy": [{ column: "avg_score", direction: "desc" }],
  "QueryDatasourceColumnsRequest.groupBy": [month],
  "QueryDatasourceColumnsRequest.measurements": [count],
  "Report.columns": [
    { id: "createdAt", name: "Created Date", type: "date" },
    { id: "topicId", name: "Topic ID", type: "string" },
    { id: "avg_score", name: "Average Score", type: "number" },
    { id: "count", name: "Count", type: "number" },
  ],
  "Report.results": [
    {
      createdAt: "2026-02-28T23:00:00.000Z",
      topicId: { id: topicId, name: "Opening an account" },
      avg_score: 0.875,
      count: 48,
    },
  ],
  "Visualization.compatibleCharts": ["line", "table"],
  "Visualization.recommendedChart": "line",
  "FieldMapping.measures": ["avg_score", "count"],
  "FieldMapping.x": "createdAt",
  "FieldMapping.series": "topicId",
  "DatasourceColumn.id": "createdAt",
  "DatasourceColumn.name": "Created Date",
  "DatasourceColumn.type": "date",
  "DatasourceColumn.isReference": false,
  "DatasourceColumn.values": [],
  "DatasourceColumn.operators": ["eq", "neq", "gt", "gte", "lt", "lte", "between"],
  "DatasourceColumn.dateTruncs": ["hour", "day", "week", "month", "quarter", "year"],
  "DatasourceColumn.measurements": [],
  "Reporting.id": "test",
};
