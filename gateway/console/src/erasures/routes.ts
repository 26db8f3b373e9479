import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { erasureUrl, userSearch } from "./erasure-requests.ts";

export const erasureRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/erasures",
    validateSearch: erasureUrl.parse,
    component: lazyRouteComponent(() => import("./erasure-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/erasures/new",
    validateSearch: userSearch,
    component: lazyRouteComponent(() => import("./new-erasure-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/erasures/$erasureId",
    component: lazyRouteComponent(() => import("./erasure-page.tsx")),
  }),
] as const;
