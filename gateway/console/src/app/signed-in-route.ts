// Parent route of all pages that need a session.

import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, redirect } from "@tanstack/react-router";
import { sessionQuery } from "../session/session.ts";
import { Layout } from "./layout.tsx";
import { NotFound, PageError } from "./page-faults.tsx";

export interface RouterContext {
  readonly queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  notFoundComponent: NotFound,
  errorComponent: PageError,
  pendingMs: Number.POSITIVE_INFINITY,
});

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  component: Layout,
  // Render nothing until the session is known.
  pendingMs: Number.POSITIVE_INFINITY,
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const { data } = await queryClient.ensureQueryData(sessionQuery);
    if (data === null) throw redirect({ to: "/sign-in", search: { from: location.href } });
  },
});
