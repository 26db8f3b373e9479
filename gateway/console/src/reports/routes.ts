import { createRoute, redirect } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { reportSearch, startingReport } from "./report-search.ts";

export const reportRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/reports",
    validateSearch: reportSearch,
    // Without a source, redirect to the starting report, so that the URL has the whole query, including the time zone.
    beforeLoad: ({ search }) => {
      if (search.source === undefined) throw redirect({ to: "/reports", search: startingReport(), replace: true });
    },
    component: lazyPage(() => import("./report-page.tsx")),
  }),
] as const;
