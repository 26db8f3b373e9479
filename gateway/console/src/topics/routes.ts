import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { topicUrl } from "./topic-search.ts";

export const topicRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/topics",
    validateSearch: topicUrl.parse,
    component: lazyRouteComponent(() => import("./topic-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/topics/$topicId",
    component: lazyRouteComponent(() => import("./topic-page.tsx")),
  }),
] as const;
