// A page for each test, in a context of its own; the test fails where the browser complained.

import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, expect } from "vitest";
import { type OpenedConsole, type WatchedPage, watchedPage } from "./open-console.ts";

interface ContextOptions extends BrowserContextOptions {
  /** Tests by name that begin without a session. */
  readonly isSignedOut?: (test: string) => boolean;
}

/** The object's page is that of the test that runs. */
export function pageOfEachTest(
  { browser, facts, session }: OpenedConsole,
  { isSignedOut = () => false, ...options }: ContextOptions = {},
): { readonly page: Page } {
  let watched: WatchedPage | undefined;
  beforeEach(async ({ task }) => {
    const isSignedIn = session !== undefined && !isSignedOut(task.name);
    const context = await browser.newContext({ ...options, ...(isSignedIn && { storageState: session }) });
    watched = await watchedPage(context, facts);
  });
  afterEach(async () => {
    expect(watched?.complaints).toEqual([]);
    // A request may come while the page goes: nobody waits for the answer.
    await watched?.page.unrouteAll({ behavior: "ignoreErrors" });
    await watched?.page.context().close();
  });
  return {
    get page() {
      if (watched === undefined) throw new Error("there is a page within a test only");
      return watched.page;
    },
  };
}
