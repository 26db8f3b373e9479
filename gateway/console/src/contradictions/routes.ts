import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { contradictionSearch } from "./contradiction-requests.ts";

export const contradictionRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/quickstarts/$quickstartId/contradictions",
    validateSearch: contradictionSearch,
    component: lazyRouteComponent(() => import("./review-page.tsx")),
  }),
] as const;
