import { listUrl, parseMany, parseOne, type SearchState } from "../url/list-url.ts";
import { text, texts } from "../url/search.ts";
import { definitionTypes } from "./definition-types.ts";

export const scopes = ["topic", "application"] as const;

export const definitionUrl = listUrl(["createdAt", "modifiedAt", "name", "type"], {
  search: text,
  type: parseMany(definitionTypes),
  scopeType: parseOne(scopes),
  topicId: texts,
  styleGuideId: texts,
});
export type DefinitionSearch = SearchState<typeof definitionUrl>;
