import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { styleGuideUrl } from "./style-guide-requests.ts";

export const styleGuideRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/style-guides",
    validateSearch: styleGuideUrl.parse,
    component: lazyPage(() => import("./style-guide-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/style-guides/new",
    component: lazyPage(() => import("./new-style-guide-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/style-guides/$styleGuideId",
    component: lazyPage(() => import("./style-guide-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/style-guides/$styleGuideId/edit",
    component: lazyPage(() => import("./edit-style-guide-page.tsx")),
  }),
] as const;
