import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { listSearch } from "../url/list-search.ts";
import { type RawSearch, text } from "../url/search.ts";
import { connectionOrders, keyOrders, memberOrders, type UserSearch, userOrders } from "./settings-requests.ts";

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/keys",
    validateSearch: (raw: RawSearch) => listSearch(raw, keyOrders),
    component: lazyRouteComponent(() => import("./key-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/models",
    validateSearch: (raw: RawSearch) => listSearch(raw, connectionOrders),
    component: lazyRouteComponent(() => import("./connection-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/models/$connectionId",
    component: lazyRouteComponent(() => import("./connection-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/evaluation",
    component: lazyRouteComponent(() => import("./evaluation-settings-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/health",
    component: lazyRouteComponent(() => import("./health-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/members",
    validateSearch: (raw: RawSearch) => listSearch(raw, memberOrders),
    component: lazyRouteComponent(() => import("./member-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/people",
    validateSearch: (raw: RawSearch): UserSearch => ({ ...listSearch(raw, userOrders), search: text(raw.search) }),
    component: lazyRouteComponent(() => import("./people-page.tsx")),
  }),
] as const;
