import { days, listUrl, parseMany, parseOne, type SearchState } from "../url/list-url.ts";
import { text, texts } from "../url/search.ts";

export const documentStatuses = ["DRAFT", "REVIEW", "APPROVED", "ACTIVE", "ARCHIVED"] as const;
export const documentTypes = ["KNOWLEDGE", "POLICY"] as const;
export const libraryStatuses = ["ACTIVE", "DRAFT"] as const;

export const documentUrl = listUrl(["createdAt", "modifiedAt", "title", "status", "type"], {
  ...days,
  search: text,
  status: parseMany(documentStatuses),
  type: parseOne(documentTypes),
  documentStatus: parseOne(libraryStatuses),
  topicId: text,
  tagId: texts,
});
export type DocumentSearch = SearchState<typeof documentUrl>;

/** API defaults, except that the console also lists unapproved versions. */
export const defaults = { type: "KNOWLEDGE", documentStatus: "ACTIVE", status: documentStatuses } as const;

/** Returns the query parameters for `GET /v0/documents`. */
export function documentQuery(search: DocumentSearch) {
  const { type, documentStatus, status, ...query } = documentUrl.query(search);
  return {
    ...query,
    type: type ?? defaults.type,
    documentStatus: documentStatus ?? defaults.documentStatus,
    status: status ?? [...defaults.status],
  };
}
