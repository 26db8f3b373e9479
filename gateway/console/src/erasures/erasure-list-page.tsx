import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Eraser } from "lucide-react";
import { readList } from "../api/query.ts";
import { Status } from "../ui/badges.tsx";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { count } from "../ui/format.ts";
import { ActionLink, AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { countOfUser, type Erasure, type ErasureSearch, listErasures } from "./erasure-requests.ts";

const route = getRouteApi("/signed-in/settings/erasures");

/** While one of the page goes on. */
const refreshMs = 2_000;

const columns: readonly Column<Erasure>[] = [
  {
    id: "createdAt",
    label: "Requested",
    isFixed: true,
    width: 180,
    orderBy: "createdAt",
    cell: ({ id, createdAt }) => (
      <AnchorLink to="/settings/erasures/$erasureId" params={{ erasureId: id }} inherit fw={500}>
        <Time value={createdAt} />
      </AnchorLink>
    ),
  },
  { id: "status", label: "Status", cell: ({ status }) => <Status value={status} /> },
  { id: "traces", label: "Traces", isNumber: true, cell: ({ erased }) => count(erased.traces) },
  { id: "steps", label: "Steps", isNumber: true, isOptional: true, cell: ({ erased }) => count(erased.steps) },
  { id: "tests", label: "Tests", isNumber: true, cell: ({ erased }) => count(erased.tests) },
  { id: "tasks", label: "Tasks", isNumber: true, cell: ({ erased }) => count(erased.tasks) },
  { id: "issues", label: "Issues", isNumber: true, cell: ({ erased }) => count(erased.issues) },
  { id: "deliveries", label: "Deliveries", isNumber: true, cell: ({ erased }) => count(erased.deliveries) },
  { id: "completedAt", label: "Completed", cell: ({ completedAt }) => <Time value={completedAt} /> },
  { id: "userHash", label: "Hash of the user", isOptional: true, cell: ({ userHash }) => <code>{userHash}</code> },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];

export default function ErasureListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = (change: Partial<ErasureSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const request = listErasures(search);
  const { data } = useQuery(readList(request));
  const erase = (
    <ActionLink operation="POST /v0/erasures" to="/settings/erasures/new" leftSection={<Eraser size={14} />}>
      Erase an end user
    </ActionLink>
  );
  return (
    <Page
      title="Erasures"
      description="Everything of one end user of the application goes; only a hash of the user stays here"
      requests={[request]}
      actions={erase}
    >
      <ListView
        label="Erasures"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<ErasureSearch>)}
        {...(data?.data.some(({ status }) => status === "RUNNING") && { refreshMs })}
        onReset={search.user === undefined ? undefined : () => onSearch({ user: undefined, skip: undefined })}
        filters={
          <SearchBox
            label="End user"
            value={search.user}
            onChange={(value) => onSearch({ user: value, skip: undefined })}
          />
        }
        empty={
          <EmptyState title="Nobody was erased" action={erase} request={countOfUser("ann@example.com")}>
            An erasure takes the traces of one end user, and every text that was made of them; scores and sums stay.
          </EmptyState>
        }
      />
    </Page>
  );
}
