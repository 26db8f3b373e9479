import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";

export const exportRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/exports",
    component: lazyRouteComponent(() => import("./exports-page.tsx")),
  }),
] as const;
