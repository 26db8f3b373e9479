import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { itemSearch, queueUrl } from "./review-requests.ts";

export const reviewRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/reviews",
    validateSearch: queueUrl.parse,
    component: lazyRouteComponent(() => import("./queue-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/reviews/$queueId",
    validateSearch: itemSearch,
    component: lazyRouteComponent(() => import("./queue-page.tsx")),
  }),
] as const;
