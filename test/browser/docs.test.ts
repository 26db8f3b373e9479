// Tests the API reference in a real browser: it works, and it sends no request to another host.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type RunningChromium, startChromium } from "./chromium.ts";

let chromium: RunningChromium;
beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(() => chromium?.close());

const baseUrl = () => inject("product").baseUrl;

/** Requests and errors of a page. */
interface Seen {
  readonly urls: string[];
  readonly faults: string[];
}

/** Starts to record a page's requests and errors, before its first request. */
async function watch(page: Page): Promise<Seen> {
  const seen: Seen = { urls: [], faults: [] };
  page.on("request", (request) => seen.urls.push(request.url()));
  page.on("websocket", (socket) => seen.urls.push(socket.url()));
  page.on("requestfailed", (request) => seen.faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on("response", (response) => {
    if (!response.ok()) seen.faults.push(`${response.status()}: ${response.url()}`);
  });
  page.on("pageerror", (error) => seen.faults.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") seen.faults.push(`console: ${message.text()}`);
  });
  await page.exposeFunction("refused", (what: string) => seen.faults.push(`refused by policy: ${what}`));
  // Pass the script as text, because this file is type-checked for Node, which has no `document`.
  await page.addInitScript(`document.addEventListener("securitypolicyviolation", (event) =>
    refused(event.violatedDirective + " " + event.blockedURI));`);
  return seen;
}

test("the reference opens, unfolds and lets a call be tried, and asks no other host for anything", async () => {
  const page = await chromium.browser.newPage();
  page.setDefaultTimeout(90_000);
  const seen = await watch(page);
  await page.goto(`${baseUrl()}/docs`);
  await page.getByRole("heading", { name: "Evaluation Management Service API" }).waitFor();

  // The placeholder must be empty: Scalar's default is a joke in base64.
  const fields = page.locator("input.scalar-password-input");
  await fields.first().waitFor();
  for (const field of await fields.all()) {
    expect([await field.inputValue(), await field.getAttribute("placeholder")]).toEqual(["", ""]);
  }
  await page.getByRole("link", { name: "Topics", exact: true }).click();
  await page.getByRole("heading", { name: "Creates a topic" }).waitFor();
  await page.getByRole("button", { name: "Test Request" }).first().click();
  await page.getByRole("button", { name: "Send" }).first().waitFor();

  expect(seen.urls).toContain(`${baseUrl()}/openapi.json`);
  expect(seen.urls.filter((url) => new URL(url).origin !== new URL(baseUrl()).origin)).toEqual([]);
  expect(seen.faults).toEqual([]);
  await page.close();
});
