import { type DayRange, dayRange, timesOf } from "../url/day-range.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { oneOf, type RawSearch, someOf, text, texts } from "../url/search.ts";

export const documentStatuses = ["DRAFT", "REVIEW", "APPROVED", "ACTIVE", "ARCHIVED"] as const;
export const documentTypes = ["KNOWLEDGE", "POLICY"] as const;
export const libraryStatuses = ["ACTIVE", "DRAFT"] as const;
const orders = ["createdAt", "modifiedAt", "title", "status", "type"] as const;

export interface DocumentSearch extends ListSearch<(typeof orders)[number]>, DayRange {
  readonly search?: string;
  readonly status?: (typeof documentStatuses)[number][];
  readonly type?: (typeof documentTypes)[number];
  readonly documentStatus?: (typeof libraryStatuses)[number];
  readonly topicId?: string;
  readonly tagId?: string[];
}

export const documentSearch = (raw: RawSearch): DocumentSearch => ({
  ...listSearch(raw, orders),
  ...dayRange(raw),
  search: text(raw.search),
  status: someOf(raw.status, documentStatuses),
  type: oneOf(raw.type, documentTypes),
  documentStatus: oneOf(raw.documentStatus, libraryStatuses),
  topicId: text(raw.topicId),
  tagId: texts(raw.tagId),
});

/** What the API lists where nothing is said, but for versions that are not approved: people look for these. */
export const defaults = { type: "KNOWLEDGE", documentStatus: "ACTIVE", status: documentStatuses } as const;

/** The query of `GET /v0/documents`. */
export const documentQuery = ({
  columns: _,
  from,
  to,
  skip,
  limit,
  orderBy,
  orderDir,
  ...filters
}: DocumentSearch) => ({
  ...pageOf({ skip, limit, orderBy, orderDir }),
  ...timesOf({ from, to }),
  ...filters,
  type: filters.type ?? defaults.type,
  documentStatus: filters.documentStatus ?? defaults.documentStatus,
  status: filters.status ?? [...defaults.status],
});
