import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { testUrl } from "../tests/test-search.ts";
import { comparisonSearch } from "./comparison-search.ts";
import { runUrl } from "./run-search.ts";

export const runRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/runs",
    validateSearch: runUrl.parse,
    component: lazyRouteComponent(() => import("./run-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/runs/compare",
    validateSearch: comparisonSearch,
    component: lazyRouteComponent(() => import("./run-comparison-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/runs/$runId",
    validateSearch: testUrl.parse,
    component: lazyRouteComponent(() => import("./run-page.tsx")),
  }),
] as const;
