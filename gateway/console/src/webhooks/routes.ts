import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { deliverySearch } from "./delivery-search.ts";

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/webhook",
    component: lazyRouteComponent(() => import("./webhook-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/deliveries",
    validateSearch: deliverySearch,
    component: lazyRouteComponent(() => import("./delivery-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/deliveries/$deliveryId",
    component: lazyRouteComponent(() => import("./delivery-page.tsx")),
  }),
] as const;
