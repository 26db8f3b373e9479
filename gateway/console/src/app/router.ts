// All routes. Each resource folder has a routes file that loads a page's code when the page is opened.

import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { auditRoutes } from "../audit/routes.ts";
import { contradictionRoutes } from "../contradictions/routes.ts";
import { definitionRoutes } from "../definitions/routes.ts";
import { documentTestRoutes } from "../document-tests/routes.ts";
import { documentRoutes } from "../documents/routes.ts";
import { erasureRoutes } from "../erasures/routes.ts";
import { experimentRoutes } from "../experiments/routes.ts";
import { exportRoutes } from "../exports/routes.ts";
import { factRoutes } from "../facts/routes.ts";
import { issueRoutes } from "../issues/routes.ts";
import { modelPriceRoutes } from "../model-prices/routes.ts";
import { overviewRoutes } from "../overview/routes.ts";
import { quickstartRoutes } from "../quickstarts/routes.ts";
import { redactionRoutes } from "../redaction/routes.ts";
import { reportRoutes } from "../reports/routes.ts";
import { reviewRoutes } from "../reviews/routes.ts";
import { runRoutes } from "../runs/routes.ts";
import { signInRoute } from "../session/routes.ts";
import { settingsRoutes } from "../settings/routes.ts";
import { styleGuideRoutes } from "../style-guides/routes.ts";
import { taskRoutes } from "../tasks/routes.ts";
import { testRoutes } from "../tests/routes.ts";
import { topicRoutes } from "../topics/routes.ts";
import { tracePathRoutes } from "../trace-paths/routes.ts";
import { traceSessionRoutes } from "../trace-sessions/routes.ts";
import { traceRoutes } from "../traces/routes.ts";
import { parseSearch, stringifySearch } from "../url/search.ts";
import { webhookRoutes } from "../webhooks/routes.ts";
import { PageError } from "./page-faults.tsx";
import { rootRoute, signedInRoute } from "./signed-in-route.ts";

const routeTree = rootRoute.addChildren([
  signInRoute,
  signedInRoute.addChildren([
    ...overviewRoutes,
    ...topicRoutes,
    ...taskRoutes,
    ...runRoutes,
    ...testRoutes,
    ...traceRoutes,
    ...traceSessionRoutes,
    ...definitionRoutes,
    ...styleGuideRoutes,
    ...factRoutes,
    ...reviewRoutes,
    ...issueRoutes,
    ...experimentRoutes,
    ...documentRoutes,
    ...documentTestRoutes,
    ...quickstartRoutes,
    ...contradictionRoutes,
    ...webhookRoutes,
    ...settingsRoutes,
    ...auditRoutes,
    ...erasureRoutes,
    ...redactionRoutes,
    ...tracePathRoutes,
    ...exportRoutes,
    ...modelPriceRoutes,
    ...reportRoutes,
  ]),
]);

export function createConsoleRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    scrollRestoration: true,
    // Inside the layout, so that the menu stays.
    defaultErrorComponent: PageError,
    // Do not wait for data on the first page, which renders its frame meanwhile. Later navigations keep the previous
    // page until the next page's data has arrived.
    defaultPendingComponent: () => null,
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
  });
  const unsubscribe = router.subscribe("onResolved", () => {
    unsubscribe();
    router.options.defaultPendingMs = Number.POSITIVE_INFINITY;
  });
  return router;
}

/** Preloads the code of the current page. On failure the code is loaded again when the page renders. */
export async function preloadPage(router: ReturnType<typeof createConsoleRouter>): Promise<void> {
  const [matchedRoutes] = router.getMatchedRoutes(router.latestLocation.pathname);
  await Promise.all(matchedRoutes.map((route) => router.loadRouteChunk(route))).catch(() => undefined);
}

/** Loads the code of the other pages, one after another, while the browser has nothing else to do. */
export function preloadOtherPages(router: ReturnType<typeof createConsoleRouter>): void {
  const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 50));
  const routes = Object.values(router.routesById);
  const next = () => {
    const route = routes.pop();
    if (route === undefined) return;
    void Promise.resolve(router.loadRouteChunk(route))
      .catch(() => undefined)
      .then(() => whenIdle(next));
  };
  whenIdle(next);
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
