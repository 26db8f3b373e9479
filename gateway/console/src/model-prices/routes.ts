import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";

export const modelPriceRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/model-prices",
    component: lazyRouteComponent(() => import("./prices-page.tsx")),
  }),
] as const;
