import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { topicUrl } from "./topic-search.ts";

export const topicRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/topics",
    validateSearch: topicUrl.parse,
    component: lazyPage(() => import("./topic-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/topics/$topicId",
    component: lazyPage(() => import("./topic-page.tsx")),
  }),
] as const;
