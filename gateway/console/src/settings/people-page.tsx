import type { FunctionComponent } from "react";
import { missing } from "../ui/format.ts";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn } from "../ui/table/usual-columns.tsx";
import { Time } from "../ui/time.tsx";
import { listUsers, type User, userUrl } from "./settings-requests.ts";

const columns: readonly Column<User>[] = [
  { id: "name", label: "Name", isFixed: true, width: 200, orderBy: "name", cell: ({ name }) => name },
  { id: "email", label: "Email", width: 220, cell: ({ email }) => email ?? missing },
  { id: "createdAt", label: "Since", orderBy: "createdAt", cell: ({ createdAt }) => <Time value={createdAt} isDate /> },
  idColumn,
];

const PeoplePage: FunctionComponent = listPage({
  title: "People",
  description: "Reviewers",
  url: userUrl,
  list: listUsers,
  columns,
  filters: [{ text: "search", label: "Search names and addresses" }],
  empty: {
    title: "No people yet",
    text: "The operator adds people with npm run bootstrap (see --help) or with CreateUser over gRPC.",
  },
});
export default PeoplePage;
