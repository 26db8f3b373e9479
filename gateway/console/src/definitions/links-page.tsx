// Tasks × definitions: which definition judges which task.

import { Kbd, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { readList } from "../api/query.ts";
import { listTasks } from "../tasks/task-requests.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { ChoiceFilter } from "../ui/filters/choice-filter.tsx";
import { FilterBar } from "../ui/filters/filter-bar.tsx";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { SingleFilter } from "../ui/filters/single-filter.tsx";
import { count } from "../ui/format.ts";
import { ActionLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";
import { Pager } from "../ui/table/pager.tsx";
import { linkTasks, listDefinitions } from "./definition-requests.ts";
import { typeChoices } from "./definition-types.ts";
import { definitionsParent } from "./definitions-parent.ts";
import type { LinksSearch } from "./links-search.ts";
import { LinksTable } from "./links-table.tsx";

const route = getRouteApi("/signed-in/definitions/links");

/** Columns that fit; others are found by name and type. */
const definitionsMax = 20;
const noFilter = { topicId: undefined, search: undefined, name: undefined, type: undefined } as const;

export default function LinksPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const topics = useTopicChoices();
  const onSearch = (change: Partial<LinksSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<LinksSearch>) => onSearch({ ...change, skip: undefined });
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
  const isFiltered = [topicId, search.search, name, type].some((value) => value !== undefined);
  const failed = [definitions, tasks].find(({ error, data }) => error !== null && data === undefined);
  const total = definitions.data?.pagination?.total ?? 0;
  const isEmpty = definitions.data?.data.length === 0 || tasks.data?.data.length === 0;
  return (
    <Page
      title="Links"
      parent={definitionsParent}
      description="Which definitions judge which tasks"
      requests={[definitionsRequest, tasksRequest]}
    >
      <Stack gap="sm">
        <FilterBar onReset={isFiltered ? () => filter(noFilter) : undefined}>
          <SearchBox label="Search tasks" value={search.search} onChange={(value) => filter({ search: value })} />
          <SingleFilter
            label="Topic"
            options={topics}
            value={topicId}
            onChange={(value) => filter({ topicId: value })}
          />
          <SearchBox label="Search definitions" value={name} onChange={(value) => filter({ name: value })} />
          <ChoiceFilter label="Type" options={typeChoices} value={type} onChange={(value) => filter({ type: value })} />
        </FilterBar>
        {failed !== undefined ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : isEmpty && isFiltered ? (
          <EmptyState title="Nothing matches">Other filters may show something.</EmptyState>
        ) : isEmpty ? (
          <EmptyState
            title="Nothing to link yet"
            action={
              <ActionLink operation="POST /v0/definitions" to="/definitions/new">
                New definition
              </ActionLink>
            }
            request={linkTasks({ evalIds: ["<definition>"], taskIds: ["<task>"] })}
          >
            With a task and a definition, this page says which definition judges which task.
          </EmptyState>
        ) : (
          <>
            <Text size="xs" c="dimmed">
              Arrow keys move, <Kbd size="xs">Space</Kbd> links or unlinks, <Kbd size="xs">Enter</Kbd> edits what a link
              expects. “Topic” and “All” are links of the task's topic and of the application, which apply, too.
            </Text>
            <LinksTable
              definitions={definitions.data?.data}
              tasks={tasks.data?.data}
              isStale={definitions.isPlaceholderData || tasks.isPlaceholderData}
            />
            {total > definitionsMax && (
              <Text size="xs" c="dimmed">
                The first {definitionsMax} of {count(total)} definitions; search for the others by name or type.
              </Text>
            )}
          </>
        )}
        <Pager search={search} total={tasks.data?.pagination?.total ?? 0} onChange={onSearch} />
      </Stack>
    </Page>
  );
}
