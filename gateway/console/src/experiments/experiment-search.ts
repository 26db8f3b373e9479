import { type ListSearch, listSearch } from "../url/list-search.ts";
import { listUrl, type SearchOf, some } from "../url/list-url.ts";
import { oneOf, type RawSearch, text, texts } from "../url/search.ts";

/** In the order in which an experiment passes them. */
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
  status: some(experimentStatuses),
});
export type ExperimentSearch = SearchOf<typeof experimentUrl>;

/** Differences that can be asked for, in percentage points; what is asked for without one is the API's own, 5. */
export const detectablePoints = ["1", "2", "10", "20"] as const;

/**
 * The variant of which all is shown, the columns of the comparison, the page of the tasks that changed sides, and what the
 * columns are compared with and for.
 */
export interface VariantSearch extends Pick<ListSearch, "skip" | "limit"> {
  readonly variant?: string;
  readonly shown?: string[];
  /** The variant that stands in the baseline's place; the baseline when undefined. */
  readonly beside?: string;
  /** The difference that the number of tasks is told for. */
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
