import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { definitionUrl } from "./definition-search.ts";
import { linksUrl } from "./links-search.ts";

export const definitionRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions",
    validateSearch: definitionUrl.parse,
    component: lazyRouteComponent(() => import("./definition-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions/new",
    component: lazyRouteComponent(() => import("./new-definition-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions/links",
    validateSearch: linksUrl.parse,
    component: lazyRouteComponent(() => import("./links-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions/$definitionId",
    component: lazyRouteComponent(() => import("./definition-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/definitions/$definitionId/edit",
    component: lazyRouteComponent(() => import("./edit-definition-page.tsx")),
  }),
] as const;
