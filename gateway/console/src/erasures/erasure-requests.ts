// What the pages of erasures read and do.

import { get, post, type Schemas } from "../api/request.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, text } from "../url/search.ts";

export type Erasure = Schemas["Erasure"];
export type ErasureCounts = Schemas["ErasureCounts"];

const orders = ["createdAt", "modifiedAt"] as const;

/** Of a user in a URL, and in the API's filters; a longer one must not be taken for its beginning. */
export const userMax = 1_000;

export const userSearch = (raw: RawSearch): { user?: string } => {
  const user = text(raw.user);
  return { user: String(raw.user).length > userMax ? undefined : user };
};

export interface ErasureSearch extends ListSearch<(typeof orders)[number]> {
  readonly user?: string;
}

export const erasureSearch = (raw: RawSearch): ErasureSearch => ({
  ...listSearch(raw, orders),
  ...userSearch(raw),
});

/** What an erasure takes from lists. */
export const refreshedByErasures = ["/v0/erasures", "/v0/traces", "/v0/tests", "/v0/issues", "/v0/tasks"] as const;

export const listErasures = ({ columns: _, user, ...list }: ErasureSearch) =>
  get("/v0/erasures", { params: { query: { ...pageOf(list), user } } });
export const getErasure = (id: string) => get("/v0/erasures/{id}", { params: { path: { id } } });
export const createErasure = (user: string) => post("/v0/erasures", { body: { user } });
/** Only counts. */
export const countOfUser = (user: string) => post("/v0/erasures", { body: { user, dryRun: true } });
