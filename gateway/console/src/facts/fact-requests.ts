// What the pages of facts read and change.

import { get, post, put, type Schemas } from "../api/request.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, texts } from "../url/search.ts";

export type Fact = Schemas["Fact"];

export const scopes = ["TOPIC", "APPLICATION"] as const;
export const statuses = ["DRAFT", "ACTIVE"] as const;
const orders = ["createdAt", "modifiedAt", "statement", "scope", "status"] as const;

export interface FactSearch extends ListSearch<(typeof orders)[number]> {
  readonly scope?: (typeof scopes)[number][];
  readonly status?: (typeof statuses)[number][];
  readonly topicId?: string[];
}

export const factSearch = (raw: RawSearch): FactSearch => ({
  ...listSearch(raw, orders),
  scope: someOf(raw.scope, scopes),
  status: someOf(raw.status, statuses),
  topicId: texts(raw.topicId),
});

export const refreshedByFacts = ["/v0/facts"] as const;

export const listFacts = ({ columns: _, scope, status, topicId, ...list }: FactSearch) =>
  get("/v0/facts", { params: { query: { ...pageOf(list), scope, status, topicId, includeTopics: true } } });
export const getFact = (id: string) => get("/v0/facts/{id}", { params: { path: { id } } });
export const createFact = (body: Schemas["CreateFactRequest"]) => post("/v0/facts", { body });
export const updateFact = ({ id, ...body }: { id: string } & Schemas["UpdateFactRequest"]) =>
  put("/v0/facts/{id}", { params: { path: { id } }, body });
