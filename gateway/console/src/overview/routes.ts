import { createRoute } from "@tanstack/react-router";
import { prefetch } from "../api/query.ts";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { dayRange } from "../url/day-range.ts";
import { getRange, listQueries } from "./overview-requests.ts";

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/",
    validateSearch: dayRange,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { queryClient }, deps }) => prefetch(queryClient, listQueries(getRange(deps))),
    component: lazyPage(() => import("./overview-page.tsx")),
  }),
] as const;
