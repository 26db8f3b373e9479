import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { contradictionSearch } from "./contradiction-requests.ts";

export const contradictionRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/quickstarts/$quickstartId/contradictions",
    validateSearch: contradictionSearch,
    component: lazyPage(() => import("./review-page.tsx")),
  }),
] as const;
