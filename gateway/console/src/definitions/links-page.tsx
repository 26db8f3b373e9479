// Page with a matrix of tasks and the definitions that judge them.

import { Kbd, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { readList } from "../api/query.ts";
import { listTasks } from "../tasks/task-requests.ts";
import { useTopics } from "../topics/topic-names.ts";
import { FilterBar } from "../ui/filters/filter-bar.tsx";
import { Filters, type ListFilter } from "../ui/filters/filters.tsx";
import { count } from "../ui/format.ts";
import { ActionLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";
import { Pager } from "../ui/table/pager.tsx";
import { clearFilters } from "../url/list-url.ts";
import { linkTasks, listDefinitions } from "./definition-requests.ts";
import { typeChoices } from "./definition-types.ts";
import { definitionsParent } from "./definitions-parent.ts";
import { type LinksSearch, linksUrl } from "./links-search.ts";
import { LinksTable } from "./links-table.tsx";

const route = getRouteApi("/signed-in/definitions/links");

/** Maximum number of definitions, one per column. Filters find further definitions. */
const definitionsMax = 20;
const filters: readonly ListFilter<LinksSearch>[] = [
  { text: "search", label: "Search tasks" },
  { one: "topicId", label: "Topic", options: useTopics },
  { text: "name", label: "Search evaluators" },
  { some: "type", label: "Type", options: typeChoices },
];

export default function LinksPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = (change: object) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: object) => onSearch({ ...change, skip: undefined });
  const { skip, limit, topicId, name, type } = search;
  const byName = { orderDir: "asc", limit: definitionsMax } as const;
  const definitionsRequest = listDefinitions({ search: name, type, orderBy: "name", ...byName });
  const tasksRequest = listTasks({
    skip,
    limit,
    search: search.search,
    orderBy: "title",
    orderDir: "asc",
    topicId: topicId === undefined ? undefined : [topicId],
  });
  const definitions = useQuery(readList(definitionsRequest));
  const tasks = useQuery(readList(tasksRequest));
  const reset = clearFilters(linksUrl, search);
  const failed = [definitions, tasks].find(({ error, data }) => error !== null && data === undefined);
  const total = definitions.data?.pagination?.total ?? 0;
  const isEmpty = definitions.data?.data.length === 0 || tasks.data?.data.length === 0;
  return (
    <Page
      title="Links"
      parent={definitionsParent}
      description="Which evaluators judge which tasks"
      requests={[definitionsRequest, tasksRequest]}
    >
      <Stack gap="sm">
        <FilterBar onReset={reset && (() => onSearch(reset))}>
          <Filters filters={filters} search={search} onChange={filter} />
        </FilterBar>
        {failed !== undefined ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : isEmpty && reset !== undefined ? (
          <EmptyState title="Nothing matches">Change or reset the filters.</EmptyState>
        ) : isEmpty ? (
          <EmptyState
            title="Nothing to link yet"
            action={
              <ActionLink operation="POST /v0/definitions" to="/definitions/new">
                New evaluator
              </ActionLink>
            }
            request={linkTasks({ evalIds: ["<definition>"], taskIds: ["<task>"] })}
          >
            Create a task and an evaluator. This page then links them.
          </EmptyState>
        ) : (
          <>
            <Text size="xs" c="dimmed">
              Arrow keys move, <Kbd size="xs">Space</Kbd> links or unlinks, <Kbd size="xs">Enter</Kbd> edits the
              expected answer of a link. “Topic” and “All” are inherited links of the task's topic and of the
              application.
            </Text>
            <LinksTable
              definitions={definitions.data?.data}
              tasks={tasks.data?.data}
              isStale={definitions.isPlaceholderData || tasks.isPlaceholderData}
            />
            {total > definitionsMax && (
              <Text size="xs" c="dimmed">
                The first {definitionsMax} of {count(total)} evaluators. Search by name or type to find the others.
              </Text>
            )}
          </>
        )}
        <Pager search={search} total={tasks.data?.pagination?.total ?? 0} onChange={onSearch} />
      </Stack>
    </Page>
  );
}
