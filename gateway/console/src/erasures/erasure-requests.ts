// What the pages of erasures read and do.

import { get, post, type Schemas } from "../api/request.ts";
import { listUrl, type SearchOf } from "../url/list-url.ts";
import { type RawSearch, text } from "../url/search.ts";

export type Erasure = Schemas["Erasure"];
export type ErasureCounts = Schemas["ErasureCounts"];

/** Of a user in a URL, and in the API's filters; a longer one must not be taken for its beginning. */
export const userMax = 1_000;

const userOf = (value: unknown) => (String(value).length > userMax ? undefined : text(value));
export const userSearch = (raw: RawSearch): { user?: string } => ({ user: userOf(raw.user) });

export const erasureUrl = listUrl(["createdAt", "modifiedAt"], { user: userOf });

/** What an erasure takes from lists. */
export const refreshedByErasures = ["/v0/erasures", "/v0/traces", "/v0/tests", "/v0/issues", "/v0/tasks"] as const;

export const listErasures = (search: SearchOf<typeof erasureUrl>) =>
  get("/v0/erasures", { params: { query: erasureUrl.query(search) } });
export const getErasure = (id: string) => get("/v0/erasures/{id}", { params: { path: { id } } });
export const createErasure = (user: string) => post("/v0/erasures", { body: { user } });
/** Only counts. */
export const countOfUser = (user: string) => post("/v0/erasures", { body: { user, dryRun: true } });
