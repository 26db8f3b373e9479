import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { erasureUrl, userSearch } from "./erasure-requests.ts";

export const erasureRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/erasures",
    validateSearch: erasureUrl.parse,
    component: lazyPage(() => import("./erasure-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/erasures/new",
    validateSearch: userSearch,
    component: lazyPage(() => import("./new-erasure-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/erasures/$erasureId",
    component: lazyPage(() => import("./erasure-page.tsx")),
  }),
] as const;
