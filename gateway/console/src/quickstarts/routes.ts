import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { assignmentUrl, quickstartUrl } from "./quickstart-requests.ts";

export const quickstartRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/quickstarts",
    validateSearch: quickstartUrl.parse,
    component: lazyRouteComponent(() => import("./quickstart-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/quickstarts/$quickstartId",
    validateSearch: assignmentUrl.parse,
    component: lazyRouteComponent(() => import("./quickstart-page.tsx")),
  }),
] as const;
