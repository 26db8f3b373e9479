import { listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { text } from "../url/search.ts";
import { definitionTypes } from "./definition-types.ts";

/** `search` filters tasks by title, `name` filters definitions by name. Neither list can be sorted. */
export const linksUrl = listUrl([], { topicId: text, search: text, name: text, type: parseMany(definitionTypes) });
export type LinksSearch = SearchState<typeof linksUrl>;
