import { days, listUrl, type SearchState, stores } from "../url/list-url.ts";
import { amount, flag, text, whole } from "../url/search.ts";

export const traceUrl = listUrl(["createdAt", "timestamp", "totalCost", "totalDurationMs", "stepCount"], {
  ...days,
  ...stores,
  search: text,
  hasError: flag,
  minDuration: (value) => whole(value, 0),
  minCost: amount,
  testId: text,
  user: text,
});
export type TraceSearch = SearchState<typeof traceUrl>;
