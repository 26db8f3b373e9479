import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { taskSearch } from "./task-search.ts";

export const taskRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tasks",
    validateSearch: taskSearch,
    component: lazyRouteComponent(() => import("./task-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tasks/$taskId",
    component: lazyRouteComponent(() => import("./task-page.tsx")),
  }),
] as const;
