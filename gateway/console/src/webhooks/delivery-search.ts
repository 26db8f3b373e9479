import { type DayRange, dayRange, timesOf } from "../url/day-range.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, texts } from "../url/search.ts";

export const deliveryStatuses = ["PENDING", "DELIVERED", "FAILED", "CANCELLED"] as const;
export const deliveryKinds = ["EVENT", "PROMPT"] as const;
const orders = ["createdAt"] as const;

export interface DeliverySearch extends ListSearch<(typeof orders)[number]>, DayRange {
  readonly status?: (typeof deliveryStatuses)[number][];
  readonly kind?: (typeof deliveryKinds)[number][];
  readonly type?: string[];
  readonly testId?: string[];
}

export const deliverySearch = (raw: RawSearch): DeliverySearch => ({
  ...listSearch(raw, orders),
  ...dayRange(raw),
  status: someOf(raw.status, deliveryStatuses),
  kind: someOf(raw.kind, deliveryKinds),
  type: texts(raw.type),
  testId: texts(raw.testId),
});

/** The query of `GET /v0/webhook/deliveries`. */
export const deliveryQuery = ({
  columns: _,
  from,
  to,
  skip,
  limit,
  orderBy,
  orderDir,
  ...filters
}: DeliverySearch) => ({
  ...pageOf({ skip, limit, orderBy, orderDir }),
  ...timesOf({ from, to }),
  ...filters,
});
