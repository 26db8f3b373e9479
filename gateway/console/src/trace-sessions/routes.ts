import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { type RawSearch, whole } from "../url/search.ts";
import { sessionUrl } from "./session-search.ts";

export const traceSessionRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/sessions",
    validateSearch: sessionUrl.parse,
    component: lazyPage(() => import("./session-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/sessions/$sessionId",
    validateSearch: (raw: RawSearch): { skip?: number } => ({ skip: whole(raw.skip, 1) }),
    component: lazyPage(() => import("./session-page.tsx")),
  }),
] as const;
