import type { FunctionComponent } from "react";
import { useDefinitions } from "../definitions/definition-requests.ts";
import { RetainedSince } from "../retention/retained-since.tsx";
import { triggerTasks } from "../tasks/task-requests.ts";
import { ResultsByDay } from "../tests/results-by-day.tsx";
import { choices } from "../ui/filters/choice-filter.tsx";
import type { FilterProps } from "../ui/filters/filters.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import { RunBulkBar } from "./run-bulk-bar.tsx";
import { runColumns } from "./run-columns.tsx";
import { isRunning, listRuns } from "./run-requests.ts";
import { type RunSearch, resultStatuses, runTypes, runUrl } from "./run-search.ts";

const RunListPage: FunctionComponent = listPage({
  title: "Runs",
  description: (search) => (
    <>
      Tests that were started together
      <RetainedSince of="runs" range={search} />
    </>
  ),
  url: runUrl,
  list: listRuns,
  columns: runColumns,
  filters: [
    { text: "search", label: "Name" },
    { some: "runType", label: "Trigger", options: choices(runTypes) },
    { some: "status", label: "Status", options: choices(resultStatuses) },
    { some: "evalDefinitionId", label: "Evaluator", options: useDefinitions },
    "days",
  ],
  refresh: { isGoingOn: isRunning, everyMs: 3_000 },
  selection: { getName: ({ name }) => name, Bar: RunBulkBar },
  Bar: Results,
  empty: {
    title: "No runs yet",
    text: "A run sends the prompts of tasks to the application's webhook. Evaluators judge the answers.",
    request: triggerTasks({ taskIds: ["TASK_ID"] }),
    action: () => <ButtonLink to="/tasks">Choose tasks to run</ButtonLink>,
  },
});
export default RunListPage;

function Results({ search, onChange }: FilterProps<RunSearch>) {
  const { status, evalDefinitionId, runType, taskId, from, to } = search;
  const ignored = [status && "Status", evalDefinitionId && "Evaluator"].filter((name) => name !== undefined);
  return <ResultsByDay search={{ runType, taskId, from, to }} ignored={ignored} onDays={onChange} />;
}
