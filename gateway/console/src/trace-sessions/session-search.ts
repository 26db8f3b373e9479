import { days, listUrl, type SearchState } from "../url/list-url.ts";
import { flag, text } from "../url/search.ts";

export const sessionUrl = listUrl(["createdAt", "lastAt"], {
  ...days,
  search: text,
  externalId: text,
  user: text,
  hasError: flag,
});
export type SessionSearch = SearchState<typeof sessionUrl>;
