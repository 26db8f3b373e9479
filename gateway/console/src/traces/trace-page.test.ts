import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  RouterProvider,
} from "@tanstack/react-router";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toQueryKey } from "../api/query.ts";
import TracePage from "./trace-page.tsx";
import { getTrace, type Trace } from "./trace-requests.ts";

// Stub the browser's URL and motion settings, which the components read.
beforeEach(() => void vi.stubGlobal("window", { location: { origin: "http://localhost" } }));
afterEach(() => void vi.unstubAllGlobals());

const trace = {
  id: "1",
  timestamp: "2026-11-01T00:00:00.000Z",
  steps: [],
  stepCount: 0,
  tokens: { input: 0, output: 0 },
  user: null,
  testId: null,
  continues: null,
  continuedBy: null,
  feedback: [],
  attachments: [],
  externalEvaluations: [],
  session: null,
  sessionId: null,
  service: null,
  version: null,
  environment: null,
  unpricedSteps: 0,
};

async function drawn(changes: Partial<Trace>): Promise<string> {
  const client = new QueryClient();
  client.setQueryData(toQueryKey(getTrace("1")), { body: { data: { ...trace, ...changes } }, etag: undefined });
  const root = createRootRoute();
  const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in" });
  const component = TracePage as RouteComponent;
  const route = createRoute({ getParentRoute: () => signedIn, path: "/traces/$traceId", component });
  const history = createMemoryHistory({ initialEntries: ["/traces/1"] });
  const router = createRouter({
    routeTree: root.addChildren([signedIn.addChildren([route])]),
    history,
    isServer: true,
  });
  await router.load();
  const inside = (children: ReactNode) => createElement(QueryClientProvider, { client }, children);
  return renderToStaticMarkup(
    createElement(MantineProvider, null, inside(createElement(RouterProvider, { router } as never))),
  );
}

test.each([
  ["that it continues", { continues: "0" }, "/traces/0", "Open the archived trace"],
  ["with its later steps", { continuedBy: "2" }, "/traces/2", "Open the later steps"],
])("a trace links to the one %s", async (_, changes, address, label) => {
  expect(await drawn(changes)).toMatch(new RegExp(`href="${address}"[^>]*>${label}<`));
});

test("a trace without a continuation does not mention one", async () => {
  const html = await drawn({});
  expect(html).toContain("No steps yet");
  expect(html).not.toContain("Continue");
});
