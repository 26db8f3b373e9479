import { getRouteApi } from "@tanstack/react-router";
import { RetainedSince } from "../retention/retained-since.tsx";
import { triggerTasks } from "../tasks/task-requests.ts";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { ResultsByDay } from "./results-by-day.tsx";
import { testColumns } from "./test-columns.tsx";
import { testDetails } from "./test-details.tsx";
import { isTestFiltered, noTestFilter, TestFilters } from "./test-filters.tsx";
import { listTests } from "./test-requests.ts";
import type { TestSearch } from "./test-search.ts";

const route = getRouteApi("/signed-in/tests");

export default function TestListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = (change: Partial<TestSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<TestSearch>) => onSearch({ ...change, skip: undefined });
  const request = listTests(search);
  const { passRateStatuses, evalDefinitionId, tagId, runId } = search;
  // Reports do not know them.
  const ignored = Object.entries({ Result: passRateStatuses, Definition: evalDefinitionId, Tag: tagId, Run: runId })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  return (
    <Page
      title="Tests"
      description={
        <>
          Executions of tasks by the application
          <RetainedSince of="tests" range={search} />
        </>
      }
      requests={[request]}
    >
      <ListView
        label="Tests"
        request={request}
        columns={testColumns}
        details={testDetails}
        search={search}
        onSearch={(change) => onSearch(change as Partial<TestSearch>)}
        onReset={isTestFiltered(search) ? () => filter(noTestFilter) : undefined}
        filters={<TestFilters search={search} onChange={filter} />}
        bar={<ResultsByDay search={search} ignored={ignored} onDays={filter} />}
        empty={
          <EmptyState
            title="No tests yet"
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
