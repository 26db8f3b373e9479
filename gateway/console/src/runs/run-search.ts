import { days, listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { text, texts } from "../url/search.ts";

export const runTypes = ["MANUAL", "SCHEDULED", "EXPERIMENT", "MONITORING"] as const;
export const resultStatuses = ["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"] as const;

export const runUrl = listUrl(["createdAt", "modifiedAt", "type", "status", "name"], {
  ...days,
  search: text,
  version: texts,
  runType: parseMany(runTypes),
  status: parseMany(resultStatuses),
  evalDefinitionId: texts,
  taskId: texts,
});
export type RunSearch = SearchState<typeof runUrl>;
