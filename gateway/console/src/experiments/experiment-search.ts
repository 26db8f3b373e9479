import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, text } from "../url/search.ts";

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
