import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { connectionUrl, keyUrl, memberUrl, userUrl } from "./settings-requests.ts";

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/keys",
    validateSearch: keyUrl.parse,
    component: lazyPage(() => import("./key-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/models",
    validateSearch: connectionUrl.parse,
    component: lazyPage(() => import("./connection-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/models/$connectionId",
    component: lazyPage(() => import("./connection-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/evaluation",
    component: lazyPage(() => import("./evaluation-settings-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/health",
    component: lazyPage(() => import("./health-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/members",
    validateSearch: memberUrl.parse,
    component: lazyPage(() => import("./member-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/people",
    validateSearch: userUrl.parse,
    component: lazyPage(() => import("./people-page.tsx")),
  }),
] as const;
