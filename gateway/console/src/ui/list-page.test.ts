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
import type { ApiRequest } from "../api/request.ts";
import { createTopic, listTopics } from "../topics/topic-requests.ts";
import { topicUrl } from "../topics/topic-search.ts";
import { listTraces, type Trace } from "../traces/trace-requests.ts";
import { traceUrl } from "../traces/trace-search.ts";
import { parseSearch, stringifySearch } from "../url/search.ts";
import { choices } from "./filters/choice-filter.tsx";
import { listPage } from "./list-page.tsx";
import { statusColumn, timeColumn } from "./table/usual-columns.tsx";

const topicsPage = listPage({
  title: "Topics",
  description: ({ title }) => `Searched for ${title ?? "nothing"}`,
  url: topicUrl,
  list: listTopics,
  columns: (rows) => [
    { id: "title", label: `${rows.length} titles`, isFixed: true, cell: ({ title }) => title },
    statusColumn(),
    timeColumn("createdAt", "Created", { isOptional: true }),
  ],
  filters: [
    { text: "title", label: "Search titles" },
    { some: "status", label: "Status", options: choices(["DRAFT", "ACTIVE"]) },
    { flag: "isInScope", label: "In scope" },
    ({ search }) => `Filtered by ${search.status?.join() ?? "no status"}`,
  ],
  action: { operation: "POST /v0/topics", label: "New topic", Form: () => null },
  selection: { getName: ({ title }) => `topic ${title}`, Bar: ({ ids }) => `${ids.length} selected` },
  empty: { title: "No topics yet", text: "A topic is a subject.", request: createTopic({ title: "Cards" }) },
  children: "Below the list",
});

// Stub the browser's URL and motion settings, which the components read.
beforeEach(() => void vi.stubGlobal("window", { location: { origin: "http://localhost" } }));
afterEach(() => void vi.unstubAllGlobals());

const rows = [{ id: "1", title: "Cards", status: "ACTIVE", createdAt: "2026-11-01T00:00:00Z" }];

interface Drawn<Search> {
  readonly page: RouteComponent;
  readonly url: { readonly parse: (raw: Readonly<Record<string, unknown>>) => Search };
  readonly list: (search: Search) => ApiRequest;
}

const topics = { page: topicsPage as RouteComponent, url: topicUrl, list: listTopics };

const drawn = (address: string, data: readonly object[]) => draw(topics, address, { data, pagination: {} });

/** Renders a list page at a URL, with the API's response in the cache. */
async function draw<Search>(
  { page: component, url, list }: Drawn<Search>,
  address: string,
  { data, pagination }: { readonly data: readonly object[]; readonly pagination: object },
): Promise<string> {
  const client = new QueryClient();
  const { pathname, search } = new URL(address, "http://localhost");
  const body = { data, pagination: { total: data.length, ...pagination } };
  client.setQueryData(toQueryKey(list(url.parse(parseSearch(search)))), { body, etag: undefined });
  const root = createRootRoute();
  const route = createRoute({ getParentRoute: () => root, path: pathname, validateSearch: url.parse, component });
  const history = createMemoryHistory({ initialEntries: [address] });
  const routeTree = root.addChildren([route]);
  const router = createRouter({ routeTree, history, parseSearch, stringifySearch, isServer: true });
  await router.load();
  const inside = (children: ReactNode) => createElement(QueryClientProvider, { client }, children);
  const page = createElement(RouterProvider, { router } as never);
  return renderToStaticMarkup(createElement(MantineProvider, null, inside(page)));
}

test("a page has its title, description, action, request, filters, columns and rows", async () => {
  const html = await drawn("/topics", rows);
  expect(html).toMatch(/<h1[^>]*>Topics<\/h1>/);
  for (const text of ["Searched for nothing", "New topic", "Request", "Columns", "1 titles", "Cards", "Below the list"])
    expect(html).toContain(`>${text}<`);
  expect(html).toContain('aria-label="Search titles"');
  for (const label of ["Status", "In scope"]) expect(html).toContain(`>${label}<`);
  expect(html).toContain('aria-label="Topics"');
  expect(html).toContain('aria-label="Select topic Cards"');
  expect(html).toContain("0 selected");
  expect(html).not.toContain("Created");
  expect(html).not.toContain("Reset");
});

test("the URL's filters are those of the request, of the filters and of the description", async () => {
  const html = await drawn("/topics?title=Cards&status=DRAFT&isInScope=true", rows);
  expect(html).toContain("Searched for Cards");
  expect(html).toContain('value="Cards"');
  expect(html).toContain("Filtered by DRAFT");
  expect(html).toContain(">Yes<");
  expect(html).toContain(">Reset<");
});

test("an empty page offers its action and a request", async () => {
  const html = await drawn("/topics", []);
  expect(html).toContain("No topics yet");
  expect(html).toContain("A topic is a subject.");
  expect(html.match(/New topic/g)).toHaveLength(2);
  expect(html).toContain("curl");
  expect(html).not.toContain("Search titles");
});

test("filters without matches can be reset, also past the last page", async () => {
  expect(await drawn("/topics?title=none", [])).toContain("Nothing matches");
  expect(await drawn("/topics?skip=50", [])).toContain("Nothing matches");
});

const tracesPage = listPage({
  title: "Traces",
  description: "What the application did",
  url: traceUrl,
  list: listTraces,
  columns: [{ id: "id", label: "Id", isFixed: true, cell: ({ id }: Trace) => id }],
  filters: [{ text: "user", label: "End user" }],
  empty: { title: "No traces yet", text: "The application sends its steps." },
});
const traces = { page: tracesPage as RouteComponent, url: traceUrl, list: listTraces };
const archivedBefore = { archivedBefore: "2026-08-01T00:00:00.000Z" };
const data = [{ id: "1" }];

/** Returns the URLs of the links on the page. */
const findLinks = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);

test("a list with archived rows links to them, with its filters and from the first page", async () => {
  const html = await draw(traces, "/traces?user=ann&skip=25&orderDir=asc", { data, pagination: archivedBefore });
  expect(html).toContain('Rows from before <time dateTime="2026-08-01T00:00:00.000Z"');
  expect(html).toContain(">Show them<");
  expect(findLinks(html)).toEqual(["/traces?user=ann&amp;orderDir=asc&amp;store=archive"]);
});

test("the archive list links back and is not a filter to reset", async () => {
  const html = await draw(traces, "/traces?store=archive&orderDir=asc", { data, pagination: {} });
  expect(html).toContain("Showing the archive.");
  expect(findLinks(html)).toEqual(["/traces?orderDir=asc"]);
  expect(html).not.toContain(">Reset<");
  expect(await draw(traces, "/traces?store=archive", { data: [], pagination: {} })).toContain("Nothing matches");
});

test("a list with only archived rows links to the archive, and a list without an archive does not", async () => {
  const html = await draw(traces, "/traces", { data: [], pagination: archivedBefore });
  expect(html).toContain("No traces yet");
  expect(html).toContain(">Show them<");
  expect(await draw(traces, "/traces", { data, pagination: {} })).not.toContain("archive");
});
