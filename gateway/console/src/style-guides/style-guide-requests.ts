// API requests of the style guide pages.

import { get, post, put, type Schemas } from "../api/request.ts";
import { listUrl, type SearchState } from "../url/list-url.ts";

export type StyleGuide = Schemas["StyleGuide"];
export type Section = StyleGuide["content"][number];

export const styleGuideUrl = listUrl(["createdAt", "modifiedAt"], {});

/** Paths of queries to refresh after a style guide changes. */
export const refreshedByStyleGuides = ["/v0/style-guides"] as const;

export const listStyleGuides = (search: SearchState<typeof styleGuideUrl>) =>
  get("/v0/style-guides", { params: { query: styleGuideUrl.query(search) } });
/** Request for a page of all style guides, which the API cannot search. */
export const allStyleGuides = (after?: string) => get("/v0/style-guides", { params: { query: { limit: 100, after } } });
export const getStyleGuide = (id: string) => get("/v0/style-guides/{id}", { params: { path: { id } } });
export const createStyleGuide = (body: Schemas["CreateStyleGuideRequest"]) => post("/v0/style-guides", { body });
export const updateStyleGuide = ({ id, ...body }: { id: string } & Schemas["UpdateStyleGuideRequest"]) =>
  put("/v0/style-guides/{id}", { params: { path: { id } }, body });
