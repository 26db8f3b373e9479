import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { experimentUrl, variantSearch } from "./experiment-search.ts";

export const experimentRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/experiments",
    validateSearch: experimentUrl.parse,
    component: lazyPage(() => import("./experiment-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/experiments/$experimentId",
    validateSearch: variantSearch,
    component: lazyPage(() => import("./experiment-page.tsx")),
  }),
] as const;
