import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { deliveryUrl } from "./delivery-search.ts";

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/webhook",
    component: lazyPage(() => import("./webhook-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/deliveries",
    validateSearch: deliveryUrl.parse,
    component: lazyPage(() => import("./delivery-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/deliveries/$deliveryId",
    component: lazyPage(() => import("./delivery-page.tsx")),
  }),
] as const;
