import { getRouteApi } from "@tanstack/react-router";
import { Grid3x3, Plus } from "lucide-react";
import { useTopicChoices } from "../topics/topic-names.ts";
import { ChoiceFilter } from "../ui/filters/choice-filter.tsx";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { SingleFilter } from "../ui/filters/single-filter.tsx";
import { ActionLink, ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { definitionColumns } from "./definition-columns.tsx";
import { createDefinition, listDefinitions } from "./definition-requests.ts";
import type { DefinitionSearch } from "./definition-search.ts";
import { typeChoices } from "./definition-types.ts";

const route = getRouteApi("/signed-in/definitions");
const noFilter = { search: undefined, type: undefined, scopeType: undefined, topicId: undefined } as const;
const scopes = [
  { value: "application", label: "All tasks" },
  { value: "topic", label: "Topics" },
] as const;

export default function DefinitionListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const topics = useTopicChoices();
  const onSearch = (change: Partial<DefinitionSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<DefinitionSearch>) => onSearch({ ...change, skip: undefined });
  const isFiltered = [search.search, search.type, search.scopeType, search.topicId, search.styleGuideId].some(
    (value) => value !== undefined,
  );
  const request = listDefinitions(search);
  const newDefinition = (
    <ActionLink operation="POST /v0/definitions" to="/definitions/new" leftSection={<Plus size={14} />}>
      New definition
    </ActionLink>
  );
  return (
    <Page
      title="Definitions"
      description="How answers are judged"
      requests={[request]}
      actions={
        <>
          {newDefinition}
          <ButtonLink to="/definitions/links" variant="default" leftSection={<Grid3x3 size={14} />}>
            Links
          </ButtonLink>
        </>
      }
    >
      <ListView
        label="Definitions"
        request={request}
        columns={definitionColumns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<DefinitionSearch>)}
        onReset={isFiltered ? () => filter({ ...noFilter, styleGuideId: undefined }) : undefined}
        filters={
          <>
            <SearchBox label="Search names" value={search.search} onChange={(value) => filter({ search: value })} />
            <ChoiceFilter
              label="Type"
              options={typeChoices}
              value={search.type}
              onChange={(value) => filter({ type: value })}
            />
            <SingleFilter
              label="Applies to"
              options={scopes}
              value={search.scopeType}
              onChange={(value) => filter({ scopeType: value })}
            />
            <ChoiceFilter
              label="Topic"
              options={topics}
              value={search.topicId}
              onChange={(value) => filter({ topicId: value })}
            />
          </>
        }
        empty={
          <EmptyState
            title="No definitions yet"
            action={newDefinition}
            request={createDefinition({
              type: "CUSTOM",
              name: "Polite",
              globalConfig: { criterion: "The answer is polite and free of jargon." },
            })}
          >
            A definition says how an answer is judged. Linked to a task, a topic or the application, it judges every
            test there.
          </EmptyState>
        }
      />
    </Page>
  );
}
