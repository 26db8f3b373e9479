import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { History } from "lucide-react";
import { readList } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { DayFilter } from "../ui/filters/day-filter.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { deliveryDetails } from "./attempts.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import { type DeliverySearch, deliveryKinds, deliveryStatuses } from "./delivery-search.ts";
import { Recover } from "./recover.tsx";
import { listDeliveries, setWebhook } from "./webhook-requests.ts";

const route = getRouteApi("/signed-in/deliveries");
const noFilter = {
  status: undefined,
  kind: undefined,
  type: undefined,
  testId: undefined,
  from: undefined,
  to: undefined,
};

export default function DeliveryListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isRecovering, recover] = useDisclosure();
  const types = useEventTypes(search.type);
  const onSearch = (change: Partial<DeliverySearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<DeliverySearch>) => onSearch({ ...change, skip: undefined });
  const isFiltered = Object.keys(noFilter).some((name) => search[name as keyof typeof noFilter] !== undefined);
  const request = listDeliveries(search);
  return (
    <Page
      title="Deliveries"
      description="Events and prompts that were sent to the webhook in the last 30 days"
      requests={[request]}
      actions={
        <ActionButton
          operation="POST /v0/webhook/recover"
          variant="default"
          leftSection={<History size={14} />}
          onClick={recover.open}
        >
          Recover
        </ActionButton>
      }
    >
      <ListView
        label="Deliveries"
        request={request}
        columns={deliveryColumns}
        details={deliveryDetails}
        search={search}
        onSearch={(change) => onSearch(change as Partial<DeliverySearch>)}
        onReset={isFiltered ? () => filter(noFilter) : undefined}
        filters={
          <>
            <ChoiceFilter
              label="Status"
              options={choices(deliveryStatuses)}
              value={search.status}
              onChange={(value) => filter({ status: value })}
            />
            <ChoiceFilter
              label="Event"
              options={types}
              value={search.type}
              onChange={(value) => filter({ type: value })}
            />
            <ChoiceFilter
              label="Kind"
              options={choices(deliveryKinds)}
              value={search.kind}
              onChange={(value) => filter({ kind: value })}
            />
            <DayFilter value={search} onChange={filter} />
          </>
        }
        empty={
          <EmptyState
            title="Nothing was delivered yet"
            action={<ButtonLink to="/webhook">Set up the webhook</ButtonLink>}
            request={setWebhook({ url: "https://hooks.example.com/ems" })}
          >
            With a webhook, every event and every prompt of a test is sent to it, and is listed here with each attempt.
          </EmptyState>
        }
      />
      {isRecovering && <Recover onClose={recover.close} />}
    </Page>
  );
}

const recent = listDeliveries({ limit: 100 });

/** Choices of the filter by type: those of the newest deliveries, and those that are chosen. */
function useEventTypes(chosen: readonly string[] = []) {
  const { data } = useQuery(readList(recent));
  const types = new Set([...chosen, ...(data?.data ?? []).map(({ type }) => type)]);
  return [...types].sort().map((value) => ({ value, label: value }));
}
