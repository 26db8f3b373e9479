import { type DayRange, dayRange, timesOf } from "../url/day-range.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, text, texts } from "../url/search.ts";

export const actions = ["CREATED", "UPDATED", "DELETED"] as const;
const orders = ["createdAt"] as const;

export interface AuditSearch extends ListSearch<(typeof orders)[number]>, DayRange {
  readonly resource?: string[];
  readonly action?: (typeof actions)[number][];
  readonly entityId?: string;
  readonly userId?: string;
  readonly keyId?: string;
  readonly requestId?: string;
}

export const auditSearch = (raw: RawSearch): AuditSearch => ({
  ...listSearch(raw, orders),
  ...dayRange(raw),
  resource: texts(raw.resource),
  action: someOf(raw.action, actions),
  entityId: text(raw.entityId),
  userId: text(raw.userId),
  keyId: text(raw.keyId),
  requestId: text(raw.requestId),
});

export const noAuditFilter = {
  resource: undefined,
  action: undefined,
  entityId: undefined,
  userId: undefined,
  keyId: undefined,
  requestId: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<AuditSearch>;

/** The query of `GET /v0/audit-log`. */
export function auditQuery({ resource, action, entityId, userId, keyId, requestId, ...rest }: AuditSearch) {
  return { ...pageOf(rest), ...timesOf(rest), resource, action, entityId, userId, keyId, requestId };
}
