import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { auditSearch } from "./audit-search.ts";

export const auditRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/audit-log",
    validateSearch: auditSearch,
    component: lazyRouteComponent(() => import("./audit-page.tsx")),
  }),
] as const;
