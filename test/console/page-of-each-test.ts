// Opens a page for each test, in its own browser context. The test fails if the browser reports an error.

import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, expect } from "vitest";
import { type OpenedConsole, type WatchedPage, watchedPage } from "./open-console.ts";

interface ContextOptions extends BrowserContextOptions {
  /** Returns true for the names of tests that start without a session. */
  readonly isSignedOut?: (test: string) => boolean;
  /** Errors of the browser that the tests cause. */
  readonly expected?: RegExp;
}

/** Returns an object whose page is that of the current test. */
export function pageOfEachTest(
  { browser, facts, session }: OpenedConsole,
  { isSignedOut = () => false, expected, ...options }: ContextOptions = {},
): { readonly page: Page } {
  let watched: WatchedPage | undefined;
  beforeEach(async ({ task }) => {
    const isSignedIn = session !== undefined && !isSignedOut(task.name);
    const context = await browser.newContext({ ...options, ...(isSignedIn && { storageState: session }) });
    watched = await watchedPage(context, facts);
  });
  afterEach(async () => {
    expect(watched?.complaints.filter((complaint) => expected?.test(complaint) !== true)).toEqual([]);
    // Ignore errors of requests that are still pending when the page closes.
    await watched?.page.unrouteAll({ behavior: "ignoreErrors" });
    await watched?.page.context().close();
  });
  return {
    get page() {
      if (watched === undefined) throw new Error("The page exists only within a test");
      return watched.page;
    },
  };
}
