// Report requests of the overview page, for a date range in the viewer's time zone.

import { read } from "../api/query.ts";
import { listDocuments } from "../documents/document-requests.ts";
import { listIssues } from "../issues/issue-requests.ts";
import { listQuickstarts } from "../quickstarts/quickstart-requests.ts";
import { queryReport, type ReportQuery } from "../reports/query.ts";
import { countItems } from "../reviews/review-requests.ts";
import { listRuns } from "../runs/run-requests.ts";
import { getEvaluationSettings } from "../settings/settings-requests.ts";
import { listTopics } from "../topics/topic-requests.ts";
import { viewerZone } from "../ui/locale.ts";
import { type DayRange, lastDays, neighbor } from "../url/day-range.ts";
import { listDeliveries } from "../webhooks/webhook-requests.ts";

export type Range = Required<DayRange>;

const days = 30;

/** Returns the range in the URL. Default: the last 30 days. */
export const getRange = ({ from, to }: DayRange): Range => ({
  ...lastDays(days, to),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

const ofRange = ({ from, to }: Range) =>
  ({
    timezone: viewerZone,
    filters: [{ type: "date", column: "createdAt", operator: "between", value: [from, to] }],
  }) satisfies Pick<ReportQuery, "timezone" | "filters">;

/** Selects tests of the application in use. Experiments try variants, and have their own pages. */
const inUse = (range: Range): Pick<ReportQuery, "timezone" | "filters"> => {
  const { timezone, filters } = ofRange(range);
  return {
    timezone,
    filters: [...filters, { type: "string", column: "runType", operator: "neq", value: ["EXPERIMENT"] }],
  };
};

const passed: ReportQuery["measurements"] = [
  { type: "count" },
  { type: "avg", column: "passed" },
  { type: "interval", column: "passed" },
  { type: "sum", column: "errored" },
];

const topicsMax = 6;
/** Maximum rows per page in the API. */
export const daysMax = 100;

export const totals = (range: Range) => queryReport({ datasource: "test", ...inUse(range), measurements: passed });

export const byDay = (range: Range) =>
  queryReport({
    datasource: "test",
    ...inUse(range),
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
      { type: "sum", column: "uncertainCost" },
      { type: "sum", column: "inputTokens" },
      { type: "sum", column: "outputTokens" },
      { type: "sum", column: "estimatedTokens" },
    ],
  });

/** Returns the last seven days of a range. */
export const lastWeek = ({ to }: Range): Range => lastDays(weekDays, to);
const weekDays = 7;

/** Request for the pass rates of the topics with the most tests. */
export const byTopic = (range: Range) =>
  queryReport({
    datasource: "test",
    ...inUse(range),
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
    ...inUse(range),
    groupBy: [{ column: "topicId", type: "string" }],
    measurements: passed,
    orderBy: [{ column: "avg_passed", direction: "asc" }],
    limit: topicsMax,
    includeArchived: false,
  });

const runsMax = 6;
export const latestRuns = listRuns({ limit: runsMax });
export const anyTopic = listTopics({ limit: 1 });
export const newestQuickstart = listQuickstarts({ limit: 1, orderBy: "createdAt", orderDir: "desc" });
export const documentsInReview = listDocuments({ status: ["REVIEW"], limit: 1 });

export const openIssues = listIssues({ status: ["OPEN"], limit: 1 });
export const tracesToJudge = countItems("PENDING");

export const failedDeliveries = (range: Range) => listDeliveries({ status: ["FAILED"], ...lastWeek(range), limit: 1 });

/** Returns the page's queries, which the route's loader prefetches. */
export function listQueries(range: Range) {
  const week = lastWeek(range);
  return [
    totals(range),
    byDay(range),
    worstTopics(range),
    totals(neighbor(range, -1)),
    judging(range),
    byTopic(week),
    byTopic(neighbor(week, -1)),
    latestRuns,
    newestQuickstart,
    documentsInReview,
    openIssues,
    tracesToJudge,
    failedDeliveries(range),
    anyTopic,
    getEvaluationSettings(),
  ].map((request) => read<unknown>(request));
}
