import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { issueUrl } from "./issue-requests.ts";

export const issueRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/issues",
    validateSearch: issueUrl.parse,
    component: lazyPage(() => import("./issue-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/issues/$issueId",
    component: lazyPage(() => import("./issue-page.tsx")),
  }),
] as const;
