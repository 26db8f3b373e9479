import { resultStatuses, runTypes } from "../runs/run-search.ts";
import { days, listUrl, parseMany, type SearchState, stores } from "../url/list-url.ts";
import { texts } from "../url/search.ts";

/** Classes of a test by the share of its evaluations that passed. */
const passRates = ["success", "warning", "error"] as const;

export const testUrl = listUrl(["createdAt", "modifiedAt", "status"], {
  ...days,
  ...stores,
  status: parseMany(resultStatuses),
  runType: parseMany(runTypes),
  passRateStatuses: parseMany(passRates),
  evalDefinitionId: texts,
  topicId: texts,
  taskId: texts,
  runId: texts,
  tagId: texts,
});
export type TestSearch = SearchState<typeof testUrl>;
