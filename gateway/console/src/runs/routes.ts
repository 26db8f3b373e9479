import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { testUrl } from "../tests/test-search.ts";
import { comparisonSearch } from "./comparison-search.ts";
import { runUrl } from "./run-search.ts";

export const runRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/runs",
    validateSearch: runUrl.parse,
    component: lazyPage(() => import("./run-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/runs/compare",
    validateSearch: comparisonSearch,
    component: lazyPage(() => import("./run-comparison-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/runs/$runId",
    validateSearch: testUrl.parse,
    component: lazyPage(() => import("./run-page.tsx")),
  }),
] as const;
