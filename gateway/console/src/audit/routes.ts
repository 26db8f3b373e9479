import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { auditUrl } from "./audit-search.ts";

export const auditRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/audit-log",
    validateSearch: auditUrl.parse,
    component: lazyPage(() => import("./audit-page.tsx")),
  }),
] as const;
