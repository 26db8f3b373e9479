import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { documentTestUrl } from "./document-test-requests.ts";

export const documentTestRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/document-tests",
    validateSearch: documentTestUrl.parse,
    component: lazyPage(() => import("./document-test-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/document-tests/$documentTestId",
    component: lazyPage(() => import("./document-test-page.tsx")),
  }),
] as const;
