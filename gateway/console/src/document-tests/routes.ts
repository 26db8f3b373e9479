import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { documentTestUrl } from "./document-test-requests.ts";

export const documentTestRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/document-tests",
    validateSearch: documentTestUrl.parse,
    component: lazyRouteComponent(() => import("./document-test-list-page.tsx")),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/document-tests/$documentTestId",
    component: lazyRouteComponent(() => import("./document-test-page.tsx")),
  }),
] as const;
