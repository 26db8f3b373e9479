import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { dayRange } from "../url/day-range.ts";

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/",
    validateSearch: dayRange,
    component: lazyRouteComponent(() => import("./overview-page.tsx")),
  }),
] as const;
