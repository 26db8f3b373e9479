import { type ListSearch, listSearch } from "../url/list-search.ts";
import { type RawSearch, text } from "../url/search.ts";

/** URL parameters: the two runs, with `a` as the baseline, and the page of changed tasks. */
export interface ComparisonSearch extends Pick<ListSearch, "skip" | "limit"> {
  readonly a?: string | undefined;
  readonly b?: string | undefined;
}

export function comparisonSearch(raw: RawSearch): ComparisonSearch {
  const { skip, limit } = listSearch(raw, []);
  return { a: text(raw.a), b: text(raw.b), skip, limit };
}
