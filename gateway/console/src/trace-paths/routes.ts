import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";

export const tracePathRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/trace-paths",
    component: lazyPage(() => import("./trace-paths-page.tsx")),
  }),
] as const;
