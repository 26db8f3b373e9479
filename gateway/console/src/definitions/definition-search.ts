import { listUrl, one, type SearchOf, some } from "../url/list-url.ts";
import { text, texts } from "../url/search.ts";
import { definitionTypes } from "./definition-types.ts";

export const scopes = ["topic", "application"] as const;

export const definitionUrl = listUrl(["createdAt", "modifiedAt", "name", "type"], {
  search: text,
  type: some(definitionTypes),
  scopeType: one(scopes),
  topicId: texts,
  styleGuideId: texts,
});
export type DefinitionSearch = SearchOf<typeof definitionUrl>;
