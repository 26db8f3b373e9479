import type { FunctionComponent } from "react";
import { Person } from "../settings/person.tsx";
import { choices } from "../ui/filters/choice-filter.tsx";
import { count } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { ExperimentForm } from "./experiment-form.tsx";
import { createExperiment, type Experiment, listExperiments } from "./experiment-requests.ts";
import { experimentStatuses, experimentUrl } from "./experiment-search.ts";

const columns: readonly Column<Experiment>[] = [
  {
    id: "title",
    label: "Title",
    orderBy: "title",
    isFixed: true,
    width: 240,
    cell: ({ id, title }) => (
      <RowLink to="/experiments/$experimentId" params={{ experimentId: id }}>
        {title}
      </RowLink>
    ),
  },
  statusColumn(),
  { id: "steps", label: "Steps", isNumber: true, cell: ({ inferenceStepIds }) => count(inferenceStepIds.length) },
  { id: "tasks", label: "Tasks", isNumber: true, cell: ({ taskIds }) => count(taskIds.length) },
  { id: "assignee", label: "Assignee", cell: ({ assignee }) => <Person id={assignee} /> },
  timeColumn("modifiedAt", "Changed"),
  timeColumn("createdAt", "Created", { isOptional: true }),
  idColumn,
];

const ExperimentListPage: FunctionComponent = listPage({
  title: "Experiments",
  description: "Compare configurations of the application",
  url: experimentUrl,
  list: listExperiments,
  columns,
  filters: [
    { text: "search", label: "Search titles and descriptions" },
    { some: "status", label: "Status", options: choices(experimentStatuses) },
  ],
  action: { operation: "POST /v0/experiments", label: "New experiment", Form: ExperimentForm },
  empty: {
    title: "No experiments yet",
    text: "An experiment runs the same tasks with different configurations, such as another prompt or model.",
    request: createExperiment({ title: "A shorter prompt" }),
  },
});
export default ExperimentListPage;
