import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";

export const redactionRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/redaction",
    component: lazyRouteComponent(() => import("./redaction-page.tsx")),
  }),
] as const;
