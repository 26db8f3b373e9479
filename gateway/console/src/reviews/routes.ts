import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { itemSearch, queueUrl } from "./review-requests.ts";

export const reviewRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/reviews",
    validateSearch: queueUrl.parse,
    component: lazyPage(() => import("./queue-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/reviews/$queueId",
    validateSearch: itemSearch,
    component: lazyPage(() => import("./queue-page.tsx")),
  }),
] as const;
