import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { experimentUrl, variantSearch } from "./experiment-search.ts";

export const experimentRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/experiments",
    validateSearch: experimentUrl.parse,
    component: lazyRouteComponent(() => import("./experiment-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/experiments/$experimentId",
    validateSearch: variantSearch,
    component: lazyRouteComponent(() => import("./experiment-page.tsx")),
  }),
] as const;
