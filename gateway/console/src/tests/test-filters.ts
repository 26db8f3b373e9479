import { useDefinitions } from "../definitions/definition-requests.ts";
import { resultStatuses, runTypes } from "../runs/run-search.ts";
import { useTags } from "../tags/tag-requests.ts";
import { useTopics } from "../topics/topic-names.ts";
import { choices } from "../ui/filters/choice-filter.tsx";
import type { ListFilter } from "../ui/filters/filters.tsx";
import { errorCauses, type TestSearch } from "./test-search.ts";

const results = [
  { value: "success", label: "More than 75 % passed" },
  { value: "warning", label: "More than 50 % passed" },
  { value: "error", label: "Up to 50 % passed" },
] as const;

const outcomeChoices = [
  { value: "PASSED", label: "Passed" },
  { value: "FAILED", label: "Failed" },
  { value: "ERRORED", label: "Errored" },
  { value: "NONE", label: "Not judged" },
] as const;

/** Filters for a list of one run's tests. */
export const runTestFilters: readonly ListFilter<TestSearch>[] = [
  { some: "outcome", label: "Result", options: outcomeChoices },
  { some: "errorCause", label: "Error cause", options: choices(errorCauses) },
  { some: "passRateStatuses", label: "Evaluations passed", options: results },
  { some: "status", label: "Status", options: choices(resultStatuses) },
  { some: "evalDefinitionId", label: "Evaluator", options: useDefinitions },
  { some: "evalOutcome", label: "Evaluator result", options: outcomeChoices },
  { some: "topicId", label: "Topic", options: useTopics },
  { some: "tagId", label: "Tag", options: useTags },
];

export const testFilters: readonly ListFilter<TestSearch>[] = [
  ...runTestFilters,
  { some: "runType", label: "Trigger", options: choices(runTypes) },
  "days",
];
