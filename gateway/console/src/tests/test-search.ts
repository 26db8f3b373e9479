import { resultStatuses, runTypes } from "../runs/run-search.ts";
import { days, listUrl, parseMany, type SearchState, stores } from "../url/list-url.ts";
import { texts } from "../url/search.ts";

/** Classes of a test by the share of its evaluations that passed. */
const passRates = ["success", "warning", "error"] as const;

const outcomes = ["PASSED", "FAILED", "ERRORED", "NONE"] as const;
export const errorCauses = ["APPLICATION", "CONFIGURATION", "JUDGE"] as const;

export const testUrl = listUrl(["createdAt", "modifiedAt", "status", "outcome", "cost", "durationMs"], {
  ...days,
  ...stores,
  status: parseMany(resultStatuses),
  runType: parseMany(runTypes),
  outcome: parseMany(outcomes),
  errorCause: parseMany(errorCauses),
  evalOutcome: parseMany(outcomes),
  passRateStatuses: parseMany(passRates),
  evalDefinitionId: texts,
  topicId: texts,
  taskId: texts,
  runId: texts,
  tagId: texts,
});
export type TestSearch = SearchState<typeof testUrl>;
