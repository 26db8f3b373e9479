import type { FunctionComponent } from "react";
import { RetainedSince } from "../retention/retained-since.tsx";
import { triggerTasks } from "../tasks/task-requests.ts";
import type { FilterProps } from "../ui/filters/filters.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import { ResultsByDay } from "./results-by-day.tsx";
import { testColumns } from "./test-columns.tsx";
import { testDetails } from "./test-details.tsx";
import { testFilters } from "./test-filters.ts";
import { listTests } from "./test-requests.ts";
import { type TestSearch, testUrl } from "./test-search.ts";

const TestListPage: FunctionComponent = listPage({
  title: "Tests",
  description: (search) => (
    <>
      Every test result
      <RetainedSince of="tests" range={search} />
    </>
  ),
  url: testUrl,
  list: listTests,
  columns: testColumns,
  details: testDetails,
  filters: testFilters,
  Bar: Results,
  empty: {
    title: "No tests yet",
    text: "A run sends the prompts of tasks to the application's webhook. Evaluators judge the answers.",
    request: triggerTasks({ taskIds: ["TASK_ID"] }),
    action: () => <ButtonLink to="/tasks">Choose tasks to run</ButtonLink>,
  },
});
export default TestListPage;

function Results({ search, onChange }: FilterProps<TestSearch>) {
  const { passRateStatuses, evalDefinitionId, tagId, runId } = search;
  // Name the active filters that the chart's report query does not support.
  const ignored = Object.entries({
    "Evaluations passed": passRateStatuses,
    Evaluator: evalDefinitionId,
    Tag: tagId,
    Run: runId,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  return <ResultsByDay search={search} ignored={ignored} onDays={onChange} />;
}
