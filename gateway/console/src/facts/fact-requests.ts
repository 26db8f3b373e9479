// API requests of the fact pages.

import { get, post, put, type Schemas } from "../api/request.ts";
import { listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { texts } from "../url/search.ts";

export type Fact = Schemas["Fact"];

export const scopes = ["TOPIC", "APPLICATION"] as const;
export const statuses = ["DRAFT", "ACTIVE"] as const;

export const factUrl = listUrl(["createdAt", "modifiedAt", "statement", "scope", "status"], {
  scope: parseMany(scopes),
  status: parseMany(statuses),
  topicId: texts,
});

export const refreshedByFacts = ["/v0/facts"] as const;

export const listFacts = (search: SearchState<typeof factUrl>) =>
  get("/v0/facts", { params: { query: { ...factUrl.query(search), includeTopics: true } } });
export const getFact = (id: string) => get("/v0/facts/{id}", { params: { path: { id } } });
export const createFact = (body: Schemas["CreateFactRequest"]) => post("/v0/facts", { body });
export const updateFact = ({ id, ...body }: { id: string } & Schemas["UpdateFactRequest"]) =>
  put("/v0/facts/{id}", { params: { path: { id } }, body });
