import { getRouteApi } from "@tanstack/react-router";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { missing } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { listUsers, type User, type UserSearch } from "./settings-requests.ts";

const route = getRouteApi("/signed-in/settings/people");

const columns: readonly Column<User>[] = [
  { id: "name", label: "Name", isFixed: true, width: 200, orderBy: "name", cell: ({ name }) => name },
  { id: "email", label: "E-mail", width: 220, cell: ({ email }) => email ?? missing },
  { id: "createdAt", label: "Since", orderBy: "createdAt", cell: ({ createdAt }) => <Time value={createdAt} isDate /> },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];

export default function PeoplePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = (change: Partial<UserSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const request = listUsers(search);
  return (
    <Page title="People" description="Members of the organisation, who have things to review" requests={[request]}>
      <ListView
        label="People"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<UserSearch>)}
        onReset={search.search === undefined ? undefined : () => onSearch({ search: undefined, skip: undefined })}
        filters={
          <SearchBox
            label="Search names and addresses"
            value={search.search}
            onChange={(value) => onSearch({ search: value, skip: undefined })}
          />
        }
        empty={
          <EmptyState title="Nobody yet">
            Whoever runs this installation adds members: npm run bootstrap -- --help, or CreateUser over gRPC.
          </EmptyState>
        }
      />
    </Page>
  );
}
