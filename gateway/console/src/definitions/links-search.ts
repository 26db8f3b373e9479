import { type ListSearch, listSearch } from "../url/list-search.ts";
import { type RawSearch, someOf, text } from "../url/search.ts";
import { definitionTypes } from "./definition-types.ts";

export interface LinksSearch extends ListSearch {
  readonly topicId?: string;
  /** In titles of tasks. */
  readonly search?: string;
  /** In names of definitions. */
  readonly name?: string;
  readonly type?: (typeof definitionTypes)[number][];
}

/** Of each table there is one order. */
export function linksSearch(raw: RawSearch): LinksSearch {
  const { skip, limit } = listSearch(raw, []);
  return {
    skip,
    limit,
    topicId: text(raw.topicId),
    search: text(raw.search),
    name: text(raw.name),
    type: someOf(raw.type, definitionTypes),
  };
}
