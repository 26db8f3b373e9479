import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { type RawSearch, whole } from "../url/search.ts";
import { documentUrl } from "./document-search.ts";

/** URL parameters: the displayed version, and the version to compare it with. */
export interface VersionSearch {
  readonly version?: number;
  readonly before?: number;
}

export const documentRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/documents",
    validateSearch: documentUrl.parse,
    component: lazyPage(() => import("./document-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/documents/$documentId",
    validateSearch: (raw: RawSearch): VersionSearch => ({
      version: whole(raw.version, 1),
      before: whole(raw.before, 1),
    }),
    component: lazyPage(() => import("./document-page.tsx")),
  }),
] as const;
