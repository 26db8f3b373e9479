import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { type RawSearch, text } from "../url/search.ts";
import { traceUrl } from "./trace-search.ts";

export const traceRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/traces",
    validateSearch: traceUrl.parse,
    component: lazyPage(() => import("./trace-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/traces/$traceId",
    validateSearch: (raw: RawSearch): { step?: string } => ({ step: text(raw.step) }),
    component: lazyPage(() => import("./trace-page.tsx")),
  }),
] as const;
