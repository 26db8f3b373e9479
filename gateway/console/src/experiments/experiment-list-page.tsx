import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Person } from "../settings/person.tsx";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { count } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { ExperimentForm } from "./experiment-form.tsx";
import { createExperiment, type Experiment, listExperiments } from "./experiment-requests.ts";
import { type ExperimentSearch, experimentStatuses } from "./experiment-search.ts";

const route = getRouteApi("/signed-in/experiments");

const columns: readonly Column<Experiment>[] = [
  {
    id: "title",
    label: "Title",
    orderBy: "title",
    isFixed: true,
    width: 240,
    cell: ({ id, title }) => (
      <AnchorLink to="/experiments/$experimentId" params={{ experimentId: id }} inherit fw={500}>
        {title}
      </AnchorLink>
    ),
  },
  { id: "status", label: "Status", orderBy: "status", cell: ({ status }) => <Status value={status} /> },
  { id: "steps", label: "Steps", isNumber: true, cell: ({ inferenceStepIds }) => count(inferenceStepIds.length) },
  { id: "tasks", label: "Tasks", isNumber: true, cell: ({ taskIds }) => count(taskIds.length) },
  { id: "assignee", label: "Assignee", cell: ({ assignee }) => <Person id={assignee} /> },
  { id: "modifiedAt", label: "Changed", orderBy: "modifiedAt", cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
  {
    id: "createdAt",
    label: "Created",
    orderBy: "createdAt",
    isOptional: true,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];

export default function ExperimentListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useDisclosure();
  const onSearch = (change: Partial<ExperimentSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<ExperimentSearch>) => onSearch({ ...change, skip: undefined });
  const request = listExperiments(search);
  const isFiltered = search.search !== undefined || search.status !== undefined;
  const newExperiment = (
    <ActionButton operation="POST /v0/experiments" leftSection={<Plus size={14} />} onClick={create.open}>
      New experiment
    </ActionButton>
  );
  return (
    <Page
      title="Experiments"
      description="What changes when steps of the application are changed"
      requests={[request]}
      actions={newExperiment}
    >
      <ListView
        label="Experiments"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<ExperimentSearch>)}
        onReset={isFiltered ? () => filter({ search: undefined, status: undefined }) : undefined}
        filters={
          <>
            <SearchBox
              label="Search titles and descriptions"
              value={search.search}
              onChange={(value) => filter({ search: value })}
            />
            <ChoiceFilter
              label="Status"
              options={choices(experimentStatuses)}
              value={search.status}
              onChange={(value) => filter({ status: value })}
            />
          </>
        }
        empty={
          <EmptyState
            title="No experiments yet"
            action={newExperiment}
            request={createExperiment({ title: "A shorter prompt" })}
          >
            An experiment measures tasks while inference steps of the application, such as its prompt, are changed.
          </EmptyState>
        }
      />
      {isCreating && <ExperimentForm onClose={create.close} />}
    </Page>
  );
}
