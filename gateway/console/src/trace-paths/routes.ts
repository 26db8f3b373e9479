import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";

export const tracePathRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/trace-paths",
    component: lazyRouteComponent(() => import("./trace-paths-page.tsx")),
  }),
] as const;
