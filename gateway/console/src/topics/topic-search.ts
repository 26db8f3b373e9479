import { listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { flag, text } from "../url/search.ts";

export const topicStatuses = ["DRAFT", "ACTIVE", "ARCHIVED"] as const;

export const topicUrl = listUrl(["createdAt", "modifiedAt", "title", "status"], {
  title: text,
  status: parseMany(topicStatuses),
  isInScope: flag,
  isTasksVerified: flag,
});
export type TopicSearch = SearchState<typeof topicUrl>;
