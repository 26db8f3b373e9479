// What the pages of style guides read and change.

import { get, post, put, type Schemas } from "../api/request.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import type { RawSearch } from "../url/search.ts";

export type StyleGuide = Schemas["StyleGuide"];
export type Section = StyleGuide["content"][number];

const orders = ["createdAt", "modifiedAt"] as const;
export type StyleGuideSearch = ListSearch<(typeof orders)[number]>;
export const styleGuideSearch = (raw: RawSearch): StyleGuideSearch => listSearch(raw, orders);

/** What a change of a style guide makes out of date. */
export const refreshedByStyleGuides = ["/v0/style-guides"] as const;

export const listStyleGuides = (search: StyleGuideSearch) =>
  get("/v0/style-guides", { params: { query: pageOf(search) } });
export const firstStyleGuides = get("/v0/style-guides", { params: { query: { limit: 100 } } });
export const getStyleGuide = (id: string) => get("/v0/style-guides/{id}", { params: { path: { id } } });
export const createStyleGuide = (body: Schemas["CreateStyleGuideRequest"]) => post("/v0/style-guides", { body });
export const updateStyleGuide = ({ id, ...body }: { id: string } & Schemas["UpdateStyleGuideRequest"]) =>
  put("/v0/style-guides/{id}", { params: { path: { id } }, body });
