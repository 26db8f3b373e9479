import { listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { text, texts } from "../url/search.ts";

export const taskStatuses = ["DEDUCED", "DRAFT", "ACTIVE", "ARCHIVED"] as const;
/** Classes of pass rates by which the API filters tasks. */
const taskResults = ["success", "warning", "error", "no-tests"] as const;
export const levels = ["HIGH", "MEDIUM", "LOW"] as const;

export const taskUrl = listUrl(["createdAt", "modifiedAt", "title", "status", "type", "lastTest"], {
  search: text,
  status: parseMany(taskStatuses),
  result: parseMany(taskResults),
  topicId: texts,
  tagId: texts,
  evalDefinitionId: texts,
  confidenceLevel: parseMany(levels),
});
export type TaskSearch = SearchState<typeof taskUrl>;

/** Returns the query parameters for `GET /v0/tasks`. */
export function taskQuery(search: TaskSearch) {
  const { result, status, ...query } = taskUrl.query(search);
  return {
    ...query,
    status: status === undefined && result === undefined ? undefined : [status ?? [], result ?? []].flat(),
  };
}
