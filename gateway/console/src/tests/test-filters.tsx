import { useDefinitionChoices } from "../definitions/definition-requests.ts";
import { resultStatuses, runTypes } from "../runs/run-search.ts";
import { useTagChoices } from "../tags/tag-requests.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { DayFilter } from "../ui/filters/day-filter.tsx";
import type { TestSearch } from "./test-search.ts";

export const noTestFilter = {
  status: undefined,
  runType: undefined,
  passRateStatuses: undefined,
  evalDefinitionId: undefined,
  topicId: undefined,
  taskId: undefined,
  runId: undefined,
  tagId: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<TestSearch>;

export const isTestFiltered = (search: TestSearch) =>
  Object.keys(noTestFilter).some((name) => search[name as keyof typeof noTestFilter] !== undefined);

const results = [
  { value: "success", label: "More than 75 % passed" },
  { value: "warning", label: "More than 50 % passed" },
  { value: "error", label: "Up to 50 % passed" },
] as const;

interface TestFiltersProps {
  readonly search: TestSearch;
  readonly onChange: (change: Partial<TestSearch>) => void;
  /** On the page of a run. */
  readonly isWithinRun?: boolean;
}

export function TestFilters({ search, onChange, isWithinRun = false }: TestFiltersProps) {
  const [topics, tags, definitions] = [useTopicChoices(), useTagChoices(), useDefinitionChoices()];
  return (
    <>
      <ChoiceFilter
        label="Result"
        options={results}
        value={search.passRateStatuses}
        onChange={(value) => onChange({ passRateStatuses: value })}
      />
      <ChoiceFilter
        label="Status"
        options={choices(resultStatuses)}
        value={search.status}
        onChange={(value) => onChange({ status: value })}
      />
      <ChoiceFilter
        label="Definition"
        options={definitions}
        value={search.evalDefinitionId}
        onChange={(value) => onChange({ evalDefinitionId: value })}
      />
      <ChoiceFilter
        label="Topic"
        options={topics}
        value={search.topicId}
        onChange={(value) => onChange({ topicId: value })}
      />
      <ChoiceFilter label="Tag" options={tags} value={search.tagId} onChange={(value) => onChange({ tagId: value })} />
      {!isWithinRun && (
        <>
          <ChoiceFilter
            label="Trigger"
            options={choices(runTypes)}
            value={search.runType}
            onChange={(value) => onChange({ runType: value })}
          />
          <DayFilter value={search} onChange={onChange} />
        </>
      )}
    </>
  );
}
