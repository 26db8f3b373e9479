import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { readList } from "../api/query.ts";
import { useDefinitionChoices } from "../definitions/definition-requests.ts";
import { RetainedSince } from "../retention/retained-since.tsx";
import { triggerTasks } from "../tasks/task-requests.ts";
import { ResultsByDay } from "../tests/results-by-day.tsx";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { DayFilter } from "../ui/filters/day-filter.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { RunBulkBar } from "./run-bulk-bar.tsx";
import { runColumns } from "./run-columns.tsx";
import { isRunning, listRuns } from "./run-requests.ts";
import { type RunSearch, resultStatuses, runTypes } from "./run-search.ts";

const route = getRouteApi("/signed-in/runs");
/** While a run of the page goes on. */
const refreshMs = 3_000;

export default function RunListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const definitions = useDefinitionChoices();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const onSearch = (change: Partial<RunSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<RunSearch>) => onSearch({ ...change, skip: undefined });
  const { runType, status, evalDefinitionId, taskId, from, to } = search;
  const isFiltered = [runType, status, evalDefinitionId, taskId, from, to].some((value) => value !== undefined);
  const ignored = [
    ...(status === undefined ? [] : ["Status"]),
    ...(evalDefinitionId === undefined ? [] : ["Definition"]),
  ];
  const request = listRuns(search);
  const { data } = useQuery(readList(request));
  return (
    <Page
      title="Runs"
      description={
        <>
          Groups of tests that are executed together
          <RetainedSince of="runs" range={search} />
        </>
      }
      requests={[request]}
    >
      <ListView
        label="Runs"
        request={request}
        columns={runColumns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<RunSearch>)}
        {...(data?.data.some(isRunning) && { refreshMs })}
        selection={{ ids: selected, onChange: setSelected, nameOf: (id) => `run ${id}` }}
        bar={
          <>
            <ResultsByDay search={{ runType, taskId, from, to }} ignored={ignored} onDays={filter} />
            <RunBulkBar ids={[...selected]} />
          </>
        }
        onReset={
          isFiltered
            ? () =>
                filter({
                  runType: undefined,
                  status: undefined,
                  evalDefinitionId: undefined,
                  taskId: undefined,
                  from: undefined,
                  to: undefined,
                })
            : undefined
        }
        filters={
          <>
            <ChoiceFilter
              label="Trigger"
              options={choices(runTypes)}
              value={runType}
              onChange={(value) => filter({ runType: value })}
            />
            <ChoiceFilter
              label="Status"
              options={choices(resultStatuses)}
              value={status}
              onChange={(value) => filter({ status: value })}
            />
            <ChoiceFilter
              label="Definition"
              options={definitions}
              value={evalDefinitionId}
              onChange={(value) => filter({ evalDefinitionId: value })}
            />
            <DayFilter value={search} onChange={filter} />
          </>
        }
        empty={
          <EmptyState
            title="No runs yet"
            action={<ButtonLink to="/tasks">Choose tasks to run</ButtonLink>}
            request={triggerTasks({ taskIds: ["TASK_ID"] })}
          >
            A run tests tasks: their prompts go to the application's webhook, and definitions judge the answers.
          </EmptyState>
        }
      />
    </Page>
  );
}
