import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { type RawSearch, text } from "../url/search.ts";
import { traceUrl } from "./trace-search.ts";

export const traceRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/traces",
    validateSearch: traceUrl.parse,
    component: lazyRouteComponent(() => import("./trace-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/traces/$traceId",
    validateSearch: (raw: RawSearch): { step?: string } => ({ step: text(raw.step) }),
    component: lazyRouteComponent(() => import("./trace-page.tsx")),
  }),
] as const;
