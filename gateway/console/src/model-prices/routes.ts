import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { type RawSearch, texts } from "../url/search.ts";

export const modelPriceRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/model-prices",
    // Models that need a price, for which the form opens with an empty one.
    validateSearch: (raw: RawSearch): { model?: string[] } => ({ model: texts(raw.model) }),
    component: lazyPage(() => import("./prices-page.tsx")),
  }),
] as const;
