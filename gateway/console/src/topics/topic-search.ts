import { listUrl, type SearchOf, some } from "../url/list-url.ts";
import { flag, text } from "../url/search.ts";

export const topicStatuses = ["DRAFT", "ACTIVE", "ARCHIVED"] as const;

export const topicUrl = listUrl(["createdAt", "modifiedAt", "title", "status"], {
  title: text,
  status: some(topicStatuses),
  isInScope: flag,
  isTasksVerified: flag,
});
export type TopicSearch = SearchOf<typeof topicUrl>;
