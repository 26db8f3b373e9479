import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { auditUrl } from "./audit-search.ts";

export const auditRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/audit-log",
    validateSearch: auditUrl.parse,
    component: lazyRouteComponent(() => import("./audit-page.tsx")),
  }),
] as const;
