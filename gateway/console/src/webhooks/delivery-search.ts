import { days, listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { texts } from "../url/search.ts";

export const deliveryStatuses = ["PENDING", "DELIVERED", "FAILED", "CANCELLED"] as const;
export const deliveryKinds = ["EVENT", "PROMPT"] as const;

export const deliveryUrl = listUrl(["createdAt"], {
  ...days,
  status: parseMany(deliveryStatuses),
  kind: parseMany(deliveryKinds),
  type: texts,
  testId: texts,
});
export type DeliverySearch = SearchState<typeof deliveryUrl>;
