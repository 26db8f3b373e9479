import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { listSearch } from "../url/list-search.ts";
import type { RawSearch } from "../url/search.ts";
import { assignmentSearch, quickstartOrders } from "./quickstart-requests.ts";

export const quickstartRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/quickstarts",
    validateSearch: (raw: RawSearch) => listSearch(raw, quickstartOrders),
    component: lazyRouteComponent(() => import("./quickstart-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/quickstarts/$quickstartId",
    validateSearch: assignmentSearch,
    component: lazyRouteComponent(() => import("./quickstart-page.tsx")),
  }),
] as const;
