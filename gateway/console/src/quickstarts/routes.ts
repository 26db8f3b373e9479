import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { assignmentUrl, quickstartUrl } from "./quickstart-requests.ts";

export const quickstartRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/quickstarts",
    validateSearch: quickstartUrl.parse,
    component: lazyPage(() => import("./quickstart-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/quickstarts/$quickstartId",
    validateSearch: assignmentUrl.parse,
    component: lazyPage(() => import("./quickstart-page.tsx")),
  }),
] as const;
