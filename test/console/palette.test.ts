// Tests the command palette while its code and results load: no key is lost, and no outdated result is opened.

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts } = opened;
const watched = pageOfEachTest(opened);

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const box = (page: Page) => page.getByRole("textbox", { name: "Go to" });
const topic = (page: Page) => page.getByRole("button", { name: "Opening an account", exact: true });

/** Delays matching requests until the returned function is called. */
async function held(page: Page, address: (url: URL) => boolean) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const isCode = ({ pathname }: URL) => /\/palette-dialog-[^/]*\.js$/.test(pathname);
const isSearch = (url: URL) => url.pathname === "/console/api/v0/topics" && url.searchParams.has("title");
const isSearchFor = (text: string) => (url: URL) => isSearch(url) && url.searchParams.get("title") === text;

test("keys typed while the palette loads appear in its search box", async () => {
  const { page } = watched;
  const letGo = await held(page, isCode);
  // Expect the request early, because the code may be loaded in idle time before the key is pressed.
  const requested = page.waitForRequest((request) => isCode(new URL(request.url())));
  await page.goto(facts.baseUrl);
  await title(page, "Overview");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Xopening");
  for (let i = 0; i < 8; i++) await page.keyboard.press("Backspace");
  await page.keyboard.type("opening");
  await requested;
  letGo();
  await topic(page).waitFor();
  expect(await box(page).inputValue()).toBe("opening");
  await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Go to");
  await page.keyboard.type(" an");
  expect(await box(page).inputValue()).toBe("opening an");
});

test("Enter is applied after the palette has loaded, and Escape cancels", async () => {
  const { page } = watched;
  const letGo = await held(page, isCode);
  await page.goto(facts.baseUrl);
  await title(page, "Overview");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("reports");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("topics");
  await page.keyboard.press("Enter");
  letGo();
  await title(page, "Topics");
  await box(page).waitFor({ state: "detached" });
});

test("Enter before the results opens the first result", async () => {
  const { page } = watched;
  // Hold every search: slow typing also searches for prefixes of the text, and their rows may match.
  const letGo = await held(page, isSearch);
  await page.goto(facts.baseUrl);
  await title(page, "Overview");
  const requested = page.waitForRequest((request) => isSearchFor("opening an acc")(new URL(request.url())));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("opening an acc");
  await page.keyboard.press("Enter");
  await requested;
  expect(await box(page).inputValue()).toBe("opening an acc");
  letGo();
  await title(page, "Opening an account");
  await box(page).waitFor({ state: "detached" });
});

test("rows of an older text stay while they match the newer one, and disappear otherwise", async () => {
  const { page } = watched;
  const letGo = [await held(page, isSearchFor("opening an")), await held(page, isSearchFor("opening zebras"))];
  await page.goto(facts.baseUrl);
  await title(page, "Overview");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("opening");
  await topic(page).waitFor();
  const requested = (text: string) => page.waitForRequest((request) => isSearchFor(text)(new URL(request.url())));
  const [narrower, other] = [requested("opening an"), requested("opening zebras")];
  await box(page).fill("opening an");
  await narrower;
  expect(await topic(page).count()).toBe(1);
  await box(page).fill("opening zebras");
  await other;
  await page.getByText("Searching…").waitFor();
  expect(await topic(page).count()).toBe(0);
  await page.keyboard.press("Enter");
  for (const go of letGo) go();
  await page.getByText("Nothing found").waitFor();
  await title(page, "Overview");
});
