import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { rootRoute } from "../app/signed-in-route.ts";
import { type RawSearch, text } from "../url/search.ts";

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (raw: RawSearch): { from?: string; failed?: string } => ({
    from: text(raw.from),
    failed: text(raw.failed),
  }),
  component: lazyPage(() => import("./sign-in-page.tsx")),
});
