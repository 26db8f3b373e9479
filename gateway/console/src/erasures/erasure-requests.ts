// API requests of the erasure pages.

import { get, post, type Schemas } from "../api/request.ts";
import { listUrl, type SearchState } from "../url/list-url.ts";
import { type RawSearch, text } from "../url/search.ts";

export type Erasure = Schemas["Erasure"];
export type ErasureCounts = Schemas["ErasureCounts"];

/** Maximum length of a user id in URLs and API filters. Longer ids are ignored: truncated, they could match another. */
export const userMax = 1_000;

const parseUser = (value: unknown) => (String(value).length > userMax ? undefined : text(value));
export const userSearch = (raw: RawSearch): { user?: string } => ({ user: parseUser(raw.user) });

export const erasureUrl = listUrl(["createdAt", "modifiedAt"], { user: parseUser });

/** Paths of queries to refresh after an erasure. */
export const refreshedByErasures = ["/v0/erasures", "/v0/traces", "/v0/tests", "/v0/issues", "/v0/tasks"] as const;

export const listErasures = (search: SearchState<typeof erasureUrl>) =>
  get("/v0/erasures", { params: { query: erasureUrl.query(search) } });
export const getErasure = (id: string) => get("/v0/erasures/{id}", { params: { path: { id } } });
export const createErasure = (user: string) => post("/v0/erasures", { body: { user } });
/** Request that counts a user's data without erasing it. */
export const countUserData = (user: string) => post("/v0/erasures", { body: { user, dryRun: true } });
