import { type ListSearch, listSearch } from "../url/list-search.ts";
import { listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { oneOf, type RawSearch, text, texts } from "../url/search.ts";

/** Statuses, in the order of an experiment's life cycle. */
export const experimentStatuses = [
  "DRAFT",
  "BASELINE_PENDING",
  "BASELINE_RUNNING",
  "BASELINE_COMPLETED",
  "RUNNING",
  "COMPLETED",
  "ARCHIVED",
] as const;

export const experimentUrl = listUrl(["createdAt", "modifiedAt", "title", "status"], {
  search: text,
  status: parseMany(experimentStatuses),
});
export type ExperimentSearch = SearchState<typeof experimentUrl>;

/** Choices for the difference to detect, in percentage points, in addition to the API's default of 5. */
export const detectablePoints = ["1", "2", "10", "20"] as const;

/**
 * URL parameters of the comparison: selected variant, columns, page of changed tasks, reference variant and
 * difference to detect.
 */
export interface VariantSearch extends Pick<ListSearch, "skip" | "limit"> {
  readonly variant?: string;
  readonly shown?: string[];
  /** Id of the reference variant. Default: the baseline. */
  readonly beside?: string;
  /** Difference to detect, in percentage points. The API computes how many tasks that requires. */
  readonly detect?: (typeof detectablePoints)[number];
}

export function variantSearch(raw: RawSearch): VariantSearch {
  const { skip, limit } = listSearch(raw, []);
  return {
    variant: text(raw.variant),
    shown: texts(raw.shown),
    skip,
    limit,
    beside: text(raw.beside),
    detect: oneOf(raw.detect, detectablePoints),
  };
}
