import { days, listUrl, type SearchState, stores } from "../url/list-url.ts";
import { amount, flag, oneOf, text, whole } from "../url/search.ts";

/** Opinions of end users. */
export const thumbs = ["UP", "DOWN"] as const;

export const traceUrl = listUrl(["createdAt", "timestamp", "totalCost", "totalDurationMs", "stepCount"], {
  ...days,
  ...stores,
  search: text,
  hasError: flag,
  minDuration: (value) => whole(value, 0),
  minCost: amount,
  testId: text,
  user: text,
  session: text,
  service: text,
  version: text,
  environment: text,
  externalEvaluation: text,
  feedbackThumb: (value) => oneOf(value, thumbs),
});
export type TraceSearch = SearchState<typeof traceUrl>;
