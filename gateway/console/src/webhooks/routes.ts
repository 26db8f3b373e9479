import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { deliveryUrl } from "./delivery-search.ts";

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/webhook",
    component: lazyRouteComponent(() => import("./webhook-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/deliveries",
    validateSearch: deliveryUrl.parse,
    component: lazyRouteComponent(() => import("./delivery-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/deliveries/$deliveryId",
    component: lazyRouteComponent(() => import("./delivery-page.tsx")),
  }),
] as const;
