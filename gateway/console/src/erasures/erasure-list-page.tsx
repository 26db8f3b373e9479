import { Eraser } from "lucide-react";
import type { FunctionComponent } from "react";
import { count } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { Time } from "../ui/time.tsx";
import { countUserData, type Erasure, erasureUrl, listErasures } from "./erasure-requests.ts";

const columns: readonly Column<Erasure>[] = [
  {
    id: "createdAt",
    label: "Requested",
    isFixed: true,
    width: 180,
    orderBy: "createdAt",
    cell: ({ id, createdAt }) => (
      <RowLink to="/settings/erasures/$erasureId" params={{ erasureId: id }}>
        <Time value={createdAt} />
      </RowLink>
    ),
  },
  statusColumn({}),
  { id: "traces", label: "Traces", isNumber: true, cell: ({ erased }) => count(erased.traces) },
  { id: "steps", label: "Steps", isNumber: true, isOptional: true, cell: ({ erased }) => count(erased.steps) },
  { id: "tests", label: "Tests", isNumber: true, cell: ({ erased }) => count(erased.tests) },
  { id: "tasks", label: "Tasks", isNumber: true, cell: ({ erased }) => count(erased.tasks) },
  { id: "issues", label: "Issues", isNumber: true, cell: ({ erased }) => count(erased.issues) },
  { id: "deliveries", label: "Deliveries", isNumber: true, cell: ({ erased }) => count(erased.deliveries) },
  timeColumn("completedAt", "Completed", { orderBy: undefined }),
  { id: "userHash", label: "Hash of the user", isOptional: true, cell: ({ userHash }) => <code>{userHash}</code> },
  idColumn,
];

const ErasureListPage: FunctionComponent = listPage({
  title: "Erasures",
  description: "Delete one end user's data. Only a hash of the user is kept",
  url: erasureUrl,
  list: listErasures,
  columns,
  filters: [{ text: "user", label: "End user" }],
  action: {
    operation: "POST /v0/erasures",
    label: "Erase an end user",
    icon: <Eraser size={14} />,
    to: "/settings/erasures/new",
  },
  refresh: { isGoingOn: ({ status }) => status === "RUNNING", everyMs: 2_000 },
  empty: {
    title: "No erasures yet",
    text: "An erasure deletes the traces of one end user and all texts derived from them. Scores and totals are kept.",
    request: countUserData("ann@example.com"),
  },
});
export default ErasureListPage;
