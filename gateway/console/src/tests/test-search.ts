import { resultStatuses, runTypes } from "../runs/run-search.ts";
import { type DayRange, dayRange, timesOf } from "../url/day-range.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, texts } from "../url/search.ts";

/** By the share of a test's evaluations that passed. */
export const passRates = ["success", "warning", "error"] as const;
const orders = ["createdAt", "modifiedAt", "status"] as const;

export interface TestSearch extends ListSearch<(typeof orders)[number]>, DayRange {
  readonly status?: (typeof resultStatuses)[number][];
  readonly runType?: (typeof runTypes)[number][];
  readonly passRateStatuses?: (typeof passRates)[number][];
  readonly evalDefinitionId?: string[];
  readonly topicId?: string[];
  readonly taskId?: string[];
  readonly runId?: string[];
  readonly tagId?: string[];
}

export const testSearch = (raw: RawSearch): TestSearch => ({
  ...listSearch(raw, orders),
  ...dayRange(raw),
  status: someOf(raw.status, resultStatuses),
  runType: someOf(raw.runType, runTypes),
  passRateStatuses: someOf(raw.passRateStatuses, passRates),
  evalDefinitionId: texts(raw.evalDefinitionId),
  topicId: texts(raw.topicId),
  taskId: texts(raw.taskId),
  runId: texts(raw.runId),
  tagId: texts(raw.tagId),
});

/** The query of `GET /v0/tests`. */
export const testQuery = ({ columns: _, from, to, skip, limit, orderBy, orderDir, ...filters }: TestSearch) => ({
  ...pageOf({ skip, limit, orderBy, orderDir }),
  ...timesOf({ from, to }),
  ...filters,
});
