import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { issueUrl } from "./issue-requests.ts";

export const issueRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/issues",
    validateSearch: issueUrl.parse,
    component: lazyRouteComponent(() => import("./issue-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/issues/$issueId",
    component: lazyRouteComponent(() => import("./issue-page.tsx")),
  }),
] as const;
