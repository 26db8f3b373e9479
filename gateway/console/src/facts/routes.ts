import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { factSearch } from "./fact-requests.ts";

export const factRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/facts",
    validateSearch: factSearch,
    component: lazyRouteComponent(() => import("./fact-list-page.tsx")),
  }),
] as const;
