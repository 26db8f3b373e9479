import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { taskUrl } from "./task-search.ts";

export const taskRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tasks",
    validateSearch: taskUrl.parse,
    component: lazyRouteComponent(() => import("./task-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tasks/$taskId",
    component: lazyRouteComponent(() => import("./task-page.tsx")),
  }),
] as const;
