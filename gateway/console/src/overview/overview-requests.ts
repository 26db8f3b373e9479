// The reports of the overview, over a range of days in the viewer's zone.

import { queryReport, type ReportQuery, viewerZone } from "../reports/query.ts";
import { type DayRange, lastDays } from "../url/day-range.ts";

export type Range = Required<DayRange>;

const ofRange = ({ from, to }: Range): Pick<ReportQuery, "timezone" | "filters"> => ({
  timezone: viewerZone(),
  filters: [{ type: "date", column: "createdAt", operator: "between", value: [from, to] }],
});

const passed: ReportQuery["measurements"] = [
  { type: "count" },
  { type: "avg", column: "passed" },
  { type: "interval", column: "passed" },
];

const topicsMax = 6;
/** The API's largest page. */
export const daysMax = 100;

export const totals = (range: Range) => queryReport({ datasource: "test", ...ofRange(range), measurements: passed });

export const byDay = (range: Range) =>
  queryReport({
    datasource: "test",
    ...ofRange(range),
    groupBy: [{ column: "createdAt", type: "date", dateTrunc: "day" }],
    measurements: passed,
    orderBy: [{ column: "createdAt", direction: "desc" }],
    limit: daysMax,
  });

export const judging = (range: Range) =>
  queryReport({
    datasource: "eval",
    ...ofRange(range),
    measurements: [
      { type: "count" },
      { type: "sum", column: "cost" },
      { type: "sum", column: "inputTokens" },
      { type: "sum", column: "outputTokens" },
    ],
  });

/** The last seven days of the range, and the seven before them. */
export const lastWeek = ({ to }: Range): Range => lastDays(weekDays, to);
const weekDays = 7;

/** The topics that were tested most. */
export const byTopic = (range: Range) =>
  queryReport({
    datasource: "test",
    ...ofRange(range),
    groupBy: [{ column: "topicId", type: "string" }],
    measurements: passed,
    orderBy: [{ column: "count", direction: "desc" }],
    limit: comparedMax,
    includeArchived: false,
  });
const comparedMax = 100;

export const worstTopics = (range: Range) =>
  queryReport({
    datasource: "test",
    ...ofRange(range),
    groupBy: [{ column: "topicId", type: "string" }],
    measurements: passed,
    orderBy: [{ column: "avg_passed", direction: "asc" }],
    limit: topicsMax,
    includeArchived: false,
  });
