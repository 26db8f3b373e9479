import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { taskUrl } from "./task-search.ts";

export const taskRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tasks",
    validateSearch: taskUrl.parse,
    component: lazyPage(() => import("./task-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/tasks/$taskId",
    component: lazyPage(() => import("./task-page.tsx")),
  }),
] as const;
