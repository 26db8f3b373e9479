import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { connectionUrl, keyUrl, memberUrl, userUrl } from "./settings-requests.ts";

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/keys",
    validateSearch: keyUrl.parse,
    component: lazyRouteComponent(() => import("./key-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/models",
    validateSearch: connectionUrl.parse,
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
    validateSearch: memberUrl.parse,
    component: lazyRouteComponent(() => import("./member-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/people",
    validateSearch: userUrl.parse,
    component: lazyRouteComponent(() => import("./people-page.tsx")),
  }),
] as const;
