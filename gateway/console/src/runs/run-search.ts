import { type DayRange, dayRange, timesOf } from "../url/day-range.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, texts } from "../url/search.ts";

export const runTypes = ["MANUAL", "SCHEDULED", "EXPERIMENT", "MONITORING"] as const;
export const resultStatuses = ["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"] as const;
const orders = ["createdAt", "modifiedAt", "type", "status"] as const;

export interface RunSearch extends ListSearch<(typeof orders)[number]>, DayRange {
  readonly runType?: (typeof runTypes)[number][];
  readonly status?: (typeof resultStatuses)[number][];
  readonly evalDefinitionId?: string[];
  readonly taskId?: string[];
}

export const runSearch = (raw: RawSearch): RunSearch => ({
  ...listSearch(raw, orders),
  ...dayRange(raw),
  runType: someOf(raw.runType, runTypes),
  status: someOf(raw.status, resultStatuses),
  evalDefinitionId: texts(raw.evalDefinitionId),
  taskId: texts(raw.taskId),
});

/** The query of `GET /v0/runs`. */
export const runQuery = ({ runType, status, evalDefinitionId, taskId, ...rest }: RunSearch) => ({
  ...pageOf(rest),
  ...timesOf(rest),
  runType,
  status,
  evalDefinitionId,
  taskId,
});
