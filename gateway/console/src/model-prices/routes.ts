import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/signed-in-route.ts";
import { type RawSearch, texts } from "../url/search.ts";

export const modelPriceRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/model-prices",
    // Models that need a price, for which the form opens with an empty one.
    validateSearch: (raw: RawSearch): { model?: string[] } => ({ model: texts(raw.model) }),
    component: lazyRouteComponent(() => import("./prices-page.tsx")),
  }),
] as const;
