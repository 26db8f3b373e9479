import { type DayRange, dayRange, timesOf } from "../url/day-range.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { amount, flag, type RawSearch, text, whole } from "../url/search.ts";

const orders = ["createdAt", "timestamp", "totalCost", "totalDurationMs", "stepCount"] as const;

export interface TraceSearch extends ListSearch<(typeof orders)[number]>, DayRange {
  readonly search?: string;
  readonly hasError?: boolean;
  readonly minDuration?: number;
  readonly minCost?: number;
  readonly testId?: string;
  readonly user?: string;
}

export const traceSearch = (raw: RawSearch): TraceSearch => ({
  ...listSearch(raw, orders),
  ...dayRange(raw),
  search: text(raw.search),
  hasError: flag(raw.hasError),
  minDuration: whole(raw.minDuration, 0),
  minCost: amount(raw.minCost),
  testId: text(raw.testId),
  user: text(raw.user),
});

/** The query of `GET /v0/traces`. */
export const traceQuery = ({ search, hasError, minDuration, minCost, testId, user, ...rest }: TraceSearch) => ({
  ...pageOf(rest),
  ...timesOf(rest),
  search,
  hasError,
  minDuration,
  minCost,
  testId,
  user,
});
