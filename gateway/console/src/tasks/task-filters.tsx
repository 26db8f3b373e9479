import { useDefinitionChoices } from "../definitions/definition-requests.ts";
import { useTagChoices } from "../tags/tag-requests.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { levels, type TaskSearch, taskStatuses } from "./task-search.ts";

export const noTaskFilter = {
  search: undefined,
  status: undefined,
  result: undefined,
  topicId: undefined,
  tagId: undefined,
  evalDefinitionId: undefined,
  confidenceLevel: undefined,
} satisfies Partial<TaskSearch>;

export const isTaskFiltered = (search: TaskSearch) =>
  Object.keys(noTaskFilter).some((name) => search[name as keyof typeof noTaskFilter] !== undefined);

const results = [
  { value: "success", label: "Above 75 %" },
  { value: "warning", label: "Above 50 %, up to 75 %" },
  { value: "error", label: "Up to 50 %" },
  { value: "no-tests", label: "No tests" },
] as const;

interface TaskFiltersProps {
  readonly search: TaskSearch;
  readonly onChange: (change: Partial<TaskSearch>) => void;
  /** On the page of a topic. */
  readonly isWithinTopic?: boolean;
}

export function TaskFilters({ search, onChange, isWithinTopic = false }: TaskFiltersProps) {
  const [topics, tags, definitions] = [useTopicChoices(), useTagChoices(), useDefinitionChoices()];
  return (
    <>
      <SearchBox
        label="Search titles and descriptions"
        value={search.search}
        onChange={(value) => onChange({ search: value })}
      />
      {!isWithinTopic && (
        <ChoiceFilter
          label="Topic"
          options={topics}
          value={search.topicId}
          onChange={(value) => onChange({ topicId: value })}
        />
      )}
      <ChoiceFilter
        label="Status"
        options={choices(taskStatuses)}
        value={search.status}
        onChange={(value) => onChange({ status: value })}
      />
      <ChoiceFilter
        label="Pass rate"
        options={results}
        value={search.result}
        onChange={(value) => onChange({ result: value })}
      />
      <ChoiceFilter label="Tag" options={tags} value={search.tagId} onChange={(value) => onChange({ tagId: value })} />
      <ChoiceFilter
        label="Definition"
        options={definitions}
        value={search.evalDefinitionId}
        onChange={(value) => onChange({ evalDefinitionId: value })}
      />
      <ChoiceFilter
        label="Confidence"
        options={choices(levels)}
        value={search.confidenceLevel}
        onChange={(value) => onChange({ confidenceLevel: value })}
      />
    </>
  );
}
