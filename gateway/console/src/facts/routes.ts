import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { factUrl } from "./fact-requests.ts";

export const factRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/facts",
    validateSearch: factUrl.parse,
    component: lazyRouteComponent(() => import("./fact-list-page.tsx")),
  }),
] as const;
