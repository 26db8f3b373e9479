import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { styleGuideUrl } from "./style-guide-requests.ts";

export const styleGuideRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/style-guides",
    validateSearch: styleGuideUrl.parse,
    component: lazyRouteComponent(() => import("./style-guide-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/style-guides/new",
    component: lazyRouteComponent(() => import("./new-style-guide-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/style-guides/$styleGuideId",
    component: lazyRouteComponent(() => import("./style-guide-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/style-guides/$styleGuideId/edit",
    component: lazyRouteComponent(() => import("./edit-style-guide-page.tsx")),
  }),
] as const;
