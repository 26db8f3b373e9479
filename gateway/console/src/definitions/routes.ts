import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { definitionUrl } from "./definition-search.ts";
import { linksUrl } from "./links-search.ts";

export const definitionRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions",
    validateSearch: definitionUrl.parse,
    component: lazyPage(() => import("./definition-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions/new",
    component: lazyPage(() => import("./new-definition-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions/links",
    validateSearch: linksUrl.parse,
    component: lazyPage(() => import("./links-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions/$definitionId",
    component: lazyPage(() => import("./definition-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions/$definitionId/edit",
    component: lazyPage(() => import("./edit-definition-page.tsx")),
  }),
] as const;
