import { getRouteApi } from "@tanstack/react-router";
import { RetainedSince } from "../retention/retained-since.tsx";
import { DayFilter } from "../ui/filters/day-filter.tsx";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { FlagFilter, SingleFilter } from "../ui/filters/single-filter.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { traceColumns } from "./trace-columns.tsx";
import { listTraces, sampleIngest } from "./trace-requests.ts";
import type { TraceSearch } from "./trace-search.ts";

const route = getRouteApi("/signed-in/traces");

const noFilter = {
  search: undefined,
  hasError: undefined,
  minDuration: undefined,
  minCost: undefined,
  testId: undefined,
  user: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<TraceSearch>;

const durations = [
  { value: "1000", label: "1 s and longer" },
  { value: "5000", label: "5 s and longer" },
  { value: "30000", label: "30 s and longer" },
] as const;

export default function TraceListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = (change: Partial<TraceSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<TraceSearch>) => onSearch({ ...change, skip: undefined });
  const isFiltered = Object.keys(noFilter).some((name) => search[name as keyof typeof noFilter] !== undefined);
  const request = listTraces(search);
  const duration = durations.find(({ value }) => Number(value) === search.minDuration)?.value;
  return (
    <Page
      title="Traces"
      description={
        <>
          What the application did, step by step
          <RetainedSince of="traces" range={search} />
        </>
      }
      requests={[request]}
    >
      <ListView
        label="Traces"
        request={request}
        columns={traceColumns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<TraceSearch>)}
        onReset={isFiltered ? () => filter(noFilter) : undefined}
        filters={
          <>
            <SearchBox
              label="Search inputs and outputs"
              value={search.search}
              onChange={(value) => filter({ search: value })}
            />
            <SearchBox label="End user" value={search.user} onChange={(value) => filter({ user: value })} />
            <DayFilter value={search} onChange={filter} />
            <FlagFilter label="With errors" value={search.hasError} onChange={(value) => filter({ hasError: value })} />
            <SingleFilter
              label="Duration"
              options={durations}
              value={duration}
              onChange={(value) => filter({ minDuration: value === undefined ? undefined : Number(value) })}
            />
          </>
        }
        empty={
          <EmptyState title="No traces yet" request={sampleIngest}>
            The application sends its steps by OpenTelemetry, or to POST /v0/ingest.
          </EmptyState>
        }
      />
    </Page>
  );
}
