import { days, listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { text, texts } from "../url/search.ts";

export const actions = ["CREATED", "UPDATED", "DELETED"] as const;

export const auditUrl = listUrl(["createdAt"], {
  ...days,
  resource: texts,
  action: parseMany(actions),
  entityId: text,
  userId: text,
  keyId: text,
  requestId: text,
});
export type AuditSearch = SearchState<typeof auditUrl>;
