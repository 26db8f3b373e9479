import { days, listUrl, type SearchOf, some } from "../url/list-url.ts";
import { texts } from "../url/search.ts";

export const deliveryStatuses = ["PENDING", "DELIVERED", "FAILED", "CANCELLED"] as const;
export const deliveryKinds = ["EVENT", "PROMPT"] as const;

export const deliveryUrl = listUrl(["createdAt"], {
  ...days,
  status: some(deliveryStatuses),
  kind: some(deliveryKinds),
  type: texts,
  testId: texts,
});
export type DeliverySearch = SearchOf<typeof deliveryUrl>;
