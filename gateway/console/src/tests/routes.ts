import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { testUrl } from "./test-search.ts";

export const testRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tests",
    validateSearch: testUrl.parse,
    component: lazyPage(() => import("./test-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tests/$testId",
    component: lazyPage(() => import("./test-page.tsx")),
  }),
] as const;
