import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, text, texts } from "../url/search.ts";

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
const orders = ["createdAt", "modifiedAt", "title", "status"] as const;

export interface ExperimentSearch extends ListSearch<(typeof orders)[number]> {
  readonly search?: string;
  readonly status?: (typeof experimentStatuses)[number][];
}

export const experimentSearch = (raw: RawSearch): ExperimentSearch => ({
  ...listSearch(raw, orders),
  search: text(raw.search),
  status: someOf(raw.status, experimentStatuses),
});

/** The query of `GET /v0/experiments`. */
export const experimentQuery = ({ search, status, ...list }: ExperimentSearch) => ({ ...pageOf(list), search, status });

/** The variant of which all is shown, the columns of the comparison, and the page of the tasks that changed sides. */
export interface VariantSearch extends Pick<ListSearch, "skip" | "limit"> {
  readonly variant?: string;
  readonly shown?: string[];
}

export function variantSearch(raw: RawSearch): VariantSearch {
  const { skip, limit } = listSearch(raw, []);
  return { variant: text(raw.variant), shown: texts(raw.shown), skip, limit };
}
