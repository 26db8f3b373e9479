import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../app/signed-in-route.ts";
import { type RawSearch, text } from "../url/search.ts";

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (raw: RawSearch): { from?: string } => ({ from: text(raw.from) }),
  component: lazyRouteComponent(() => import("./sign-in-page.tsx")),
});
