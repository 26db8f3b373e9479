import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { flag, type RawSearch, someOf, text } from "../url/search.ts";

export const topicStatuses = ["DRAFT", "ACTIVE", "ARCHIVED"] as const;
const orders = ["createdAt", "modifiedAt", "title", "status"] as const;

export interface TopicSearch extends ListSearch<(typeof orders)[number]> {
  readonly title?: string;
  readonly status?: (typeof topicStatuses)[number][];
  readonly isInScope?: boolean;
  readonly isTasksVerified?: boolean;
}

export const topicSearch = (raw: RawSearch): TopicSearch => ({
  ...listSearch(raw, orders),
  title: text(raw.title),
  status: someOf(raw.status, topicStatuses),
  isInScope: flag(raw.isInScope),
  isTasksVerified: flag(raw.isTasksVerified),
});

/** The query of `GET /v0/topics`. */
export const topicQuery = ({ title, status, isInScope, isTasksVerified, ...list }: TopicSearch) => ({
  ...pageOf(list),
  title,
  status,
  isInScope,
  isTasksVerified,
});
