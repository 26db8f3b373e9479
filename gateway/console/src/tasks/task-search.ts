import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, text, texts } from "../url/search.ts";

export const taskStatuses = ["DEDUCED", "DRAFT", "ACTIVE", "ARCHIVED"] as const;
/** By pass rate, which the API filters by the same parameter. */
export const taskResults = ["success", "warning", "error", "no-tests"] as const;
export const levels = ["HIGH", "MEDIUM", "LOW"] as const;
const orders = ["createdAt", "modifiedAt", "title", "status", "type", "lastTest"] as const;

export interface TaskSearch extends ListSearch<(typeof orders)[number]> {
  readonly search?: string;
  readonly status?: (typeof taskStatuses)[number][];
  readonly result?: (typeof taskResults)[number][];
  readonly topicId?: string[];
  readonly tagId?: string[];
  readonly evalDefinitionId?: string[];
  readonly confidenceLevel?: (typeof levels)[number][];
}

export const taskSearch = (raw: RawSearch): TaskSearch => ({
  ...listSearch(raw, orders),
  search: text(raw.search),
  status: someOf(raw.status, taskStatuses),
  result: someOf(raw.result, taskResults),
  topicId: texts(raw.topicId),
  tagId: texts(raw.tagId),
  evalDefinitionId: texts(raw.evalDefinitionId),
  confidenceLevel: someOf(raw.confidenceLevel, levels),
});

/** The query of `GET /v0/tasks`. */
export const taskQuery = ({ search, status, result, topicId, tagId, ...rest }: TaskSearch) => ({
  ...pageOf(rest),
  search,
  status: status === undefined && result === undefined ? undefined : [...(status ?? []), ...(result ?? [])],
  topicId,
  tagId,
  evalDefinitionId: rest.evalDefinitionId,
  confidenceLevel: rest.confidenceLevel,
});
