import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { testUrl } from "./test-search.ts";

export const testRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tests",
    validateSearch: testUrl.parse,
    component: lazyRouteComponent(() => import("./test-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tests/$testId",
    component: lazyRouteComponent(() => import("./test-page.tsx")),
  }),
] as const;
