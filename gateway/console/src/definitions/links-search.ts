import { listUrl, type SearchOf, some } from "../url/list-url.ts";
import { text } from "../url/search.ts";
import { definitionTypes } from "./definition-types.ts";

/** `search` is in titles of tasks, `name` in those of definitions. Each table has one order. */
export const linksUrl = listUrl([], { topicId: text, search: text, name: text, type: some(definitionTypes) });
export type LinksSearch = SearchOf<typeof linksUrl>;
