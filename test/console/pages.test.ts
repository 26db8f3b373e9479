// Tests every page in light and dark, on phone, desktop and wide screens, and its loading and error states.

import { setTimeout as delay } from "node:timers/promises";
import type { Route } from "playwright-core";
import { afterAll, beforeEach, expect, test } from "vitest";
import { axe, brokenRules, rules } from "./axe.ts";
import { openConsole, watchedPage, whenLoaded } from "./open-console.ts";
import { samplePages } from "./sample-pages.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { browser, facts, session } = opened;

const pages = await samplePages(opened);
const paths = {
  ...pages,
  "links without evaluators": "/definitions/links?name=none",
  "deliveries without any": "/deliveries?status=CANCELLED",
  "people without any": "/settings/people?search=none%20of%20them",
  "topics without any": "/topics?title=none%20of%20them",
  "a topic that is not there": "/topics/01890a5d-ac96-774b-bcce-b302099a8057",
  "no page": "/nowhere",
};
/** Rules to check after a change of only the color scheme, which leaves the document the same. */
const colorRules = ["color-contrast", "link-in-text-block"];
/** True in `npm run nightly`, which checks everything. The gate checks a page in one of two views, and fewer kinds. */
const isWhole = process.env.CONSOLE_PAGES === "all";
/** Views in the order in which they are checked. Each differs from the previous in only the scheme or the width. */
const allViews = [
  { colorScheme: "light", width: 1440, looksAt: rules },
  { colorScheme: "dark", width: 1440, looksAt: colorRules },
  { colorScheme: "dark", width: 380, looksAt: rules },
  { colorScheme: "light", width: 380, looksAt: colorRules },
] as const;
const [bright, , narrow] = allViews;
const selectViews = (at: number) => (isWhole ? allViews : [at % 2 === 0 ? bright : narrow]);

const context = await browser.newContext({
  bypassCSP: true,
  reducedMotion: "reduce",
  ...(session !== undefined && { storageState: session }),
});

// Reuse one tab, because a new tab would load the scripts again.
const { page, complaints } = await watchedPage(context, facts);
beforeEach(async () => {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 720 });
  complaints.length = 0;
});

test.each(Object.entries(paths).map(([name, path], at) => [name, path, selectViews(at)] as const))(
  "%s is accessible, does not overflow, and logs no errors",
  async (_, path, views) => {
    await open(path);
    const found: string[] = [];
    for (const { colorScheme, width, looksAt } of views) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.locator(`[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      await whenLoaded(page);
      const broken = await brokenRules(page, looksAt);
      const faults = (await isWide()) ? [...broken, "scrolls sideways"] : broken;
      found.push(...faults.map((fault) => `${colorScheme}, ${width} px: ${fault}`));
    }
    // On a wide screen, check only that the page does not scroll sideways.
    await page.setViewportSize({ width: 2560, height: 1440 });
    if (await isWide()) found.push("2560 px: scrolls sideways");
    expect([...found, ...complaints]).toEqual([]);
  },
);

/** Names of pages, one of each kind. */
const allKinds = [
  "overview",
  "topics",
  "topic",
  "run",
  "test",
  "trace",
  "document",
  "report-new",
  "webhook",
  "health",
  "audit-log",
  "erasures",
  "redaction",
];
const kinds = isWhole ? allKinds : ["overview", "test", "document", "health"];

test.each(kinds)("%s reports failed requests with the request id, and can retry", async (name) => {
  const refuse = (route: Route) =>
    route.fulfill({ status: 400, headers: { "x-request-id": "of-this-test" }, json: { message: "Not today" } });
  await page.route("**/console/api/v0/**", refuse);
  await page.goto(`${facts.baseUrl}${pages[name]}`);
  const alert = page.getByRole("alert").filter({ hasText: "Not today" }).filter({ hasText: "of-this-test" }).first();
  await alert.waitFor();
  await page.unroute("**/console/api/v0/**");
  // Each part of a page has its own retry button, which disappears after success.
  const retry = page.getByRole("button", { name: "Retry" });
  while ((await retry.count()) > 0)
    await retry
      .first()
      .click({ timeout: 1_000 })
      .catch(() => undefined);
  await alert.waitFor({ state: "detached" });
  await whenLoaded(page);
  expect(complaints).toEqual([]);
});

test.each(kinds)("%s does not shift its layout when data arrives late", async (name) => {
  await page.route("**/console/api/v0/**", async (route) => {
    await delay(500);
    await route.continue();
  });
  await page.goto(`${facts.baseUrl}${pages[name]}`);
  await whenLoaded(page);
  const shifts = await page.evaluate<number[]>(
    `new Promise((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(list.getEntries().map(({ value }) => value)));
      observer.observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve([]), 200);
    })`,
  );
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // Web Vitals rate a cumulative layout shift below 0.1 as good.
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.1);
});

const isWide = () => page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");

/** Opens the page and the details of its first row. */
async function open(path: string): Promise<void> {
  await page.goto(`${facts.baseUrl}${path}`);
  await whenLoaded(page);
  const details = page.getByRole("button", { name: /^Details of / }).first();
  if ((await details.count()) > 0) await details.click();
  await page.evaluate(axe);
  // Turn transitions off, so that axe does not measure intermediate colors.
  await page.addStyleTag({ content: "* { transition: none !important; }" });
}
