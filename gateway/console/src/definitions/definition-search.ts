import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { oneOf, type RawSearch, someOf, text, texts } from "../url/search.ts";
import { definitionTypes } from "./definition-types.ts";

const orders = ["createdAt", "modifiedAt", "name", "type"] as const;
export const scopes = ["topic", "application"] as const;

export interface DefinitionSearch extends ListSearch<(typeof orders)[number]> {
  readonly search?: string;
  readonly type?: (typeof definitionTypes)[number][];
  readonly scopeType?: (typeof scopes)[number];
  readonly topicId?: string[];
  readonly styleGuideId?: string[];
}

export const definitionSearch = (raw: RawSearch): DefinitionSearch => ({
  ...listSearch(raw, orders),
  search: text(raw.search),
  type: someOf(raw.type, definitionTypes),
  scopeType: oneOf(raw.scopeType, scopes),
  topicId: texts(raw.topicId),
  styleGuideId: texts(raw.styleGuideId),
});

/** The query of `GET /v0/definitions`. */
export const definitionQuery = ({ search, type, scopeType, topicId, styleGuideId, ...list }: DefinitionSearch) => ({
  ...pageOf(list),
  search,
  type,
  scopeType,
  topicId,
  styleGuideId,
});
