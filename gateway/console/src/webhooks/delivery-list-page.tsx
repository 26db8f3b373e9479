import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import type { FunctionComponent } from "react";
import { readList } from "../api/query.ts";
import { choices } from "../ui/filters/choice-filter.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import { findTyped } from "../ui/pick/typed.ts";
import { deliveryDetails } from "./attempts.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import { deliveryKinds, deliveryStatuses, deliveryUrl } from "./delivery-search.ts";
import { Recover } from "./recover.tsx";
import { listDeliveries, setWebhook } from "./webhook-requests.ts";

const recent = listDeliveries({ limit: 100 });

/** Returns the event types in the newest 100 deliveries and those chosen in the filter. */
function useEventTypes(typed: string, chosen: readonly string[]) {
  const { data } = useQuery(readList(recent));
  const types = new Set([...chosen, ...(data?.data ?? []).map(({ type }) => type)]);
  const choices = [...types].sort().map((value) => ({ value, label: value }));
  return findTyped(choices, typed, chosen);
}

const DeliveryListPage: FunctionComponent = listPage({
  title: "Deliveries",
  description: "Events and prompts sent to the webhook in the last 30 days",
  url: deliveryUrl,
  list: listDeliveries,
  columns: deliveryColumns,
  details: deliveryDetails,
  filters: [
    { some: "status", label: "Status", options: choices(deliveryStatuses) },
    { some: "type", label: "Event", options: useEventTypes },
    { some: "kind", label: "Kind", options: choices(deliveryKinds) },
    "days",
  ],
  action: {
    operation: "POST /v0/webhook/recover",
    label: "Recover",
    icon: <History size={14} />,
    variant: "default",
    Form: Recover,
  },
  empty: {
    title: "No deliveries yet",
    text: "Once a webhook is set up, each event and each test prompt that is sent to it is listed here, with its attempts.",
    request: setWebhook({ url: "https://hooks.example.com/ems" }),
    action: () => <ButtonLink to="/webhook">Set up the webhook</ButtonLink>,
  },
});
export default DeliveryListPage;
