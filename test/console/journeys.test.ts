// Tests user journeys in the console, with the security policies that a browser enforces.

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
// Tests that sign in start signed out, because a second sign-in ends the previous session.
const watched = pageOfEachTest(opened, { isSignedOut: (name) => name.startsWith("signs ") });

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

test("signs in with the form and opens the requested page; a wrong key is reported", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/tasks?search=card`);
  await title(page, "Sign in");
  await page.getByLabel("API key").fill("ems_wrong");
  await page.getByLabel("Application").fill(facts.applicationId);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("API key").fill(facts.apiKey ?? "");
  await page.getByRole("button", { name: "Sign in" }).click();
  await title(page, "Tasks");
  expect(page.url()).toBe(`${facts.baseUrl}/tasks?search=card`);
  // Scripts in the page cannot read the API key.
  const stored = await page.evaluate<string>(
    "JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])",
  );
  expect(stored).not.toContain(facts.apiKey);
  expect(stored).not.toContain("ems_");
});

test("signs out when the key of the session is deleted", async () => {
  const { page } = watched;
  const { data } = (await call("POST", "/v0/api-keys", { name: "for a journey" })) as {
    data: { id: string; key: string };
  };
  await page.goto(`${facts.baseUrl}/sign-in`);
  await page.getByLabel("API key").fill(data.key);
  await page.getByLabel("Application").fill(facts.applicationId);
  await page.getByRole("button", { name: "Sign in" }).click();
  await title(page, "Overview");
  await fetch(`${facts.baseUrl}/v0/api-keys/${data.id}`, {
    method: "DELETE",
    headers: { "x-api-key": facts.apiKey ?? "", "x-application-id": facts.applicationId },
  });
  await expect
    .poll(
      async () => {
        await page.goto(`${facts.baseUrl}/topics`);
        return page.getByRole("heading", { level: 1 }).first().textContent();
      },
      { timeout: 15_000, interval: 500 },
    )
    .toBe("Sign in");
});

test("a topic and a task are created, linked to an evaluator and run, and the test explains its failure", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/topics`);
  await page.getByRole("button", { name: "New topic" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Title").fill("Made in the console");
  await dialog.getByRole("button", { name: "Create" }).click();
  await title(page, "Made in the console");

  await page.getByRole("button", { name: "New task" }).click();
  await dialog.getByLabel("Title").fill("Asked in the console");
  await dialog.getByLabel("Description").fill("A question that a person types.");
  await dialog.getByRole("button", { name: "Add prompt" }).click();
  await dialog.getByRole("textbox", { name: "Prompt 1" }).fill("What does it cost?");
  await dialog.getByRole("button", { name: "Create" }).click();
  await title(page, "Asked in the console");

  await page.getByRole("button", { name: "Link", exact: true }).click();
  await dialog.getByRole("combobox").or(dialog.getByLabel("Evaluators")).first().click();
  await page.getByRole("option").first().click();
  await page.keyboard.press("Tab");
  await dialog.getByRole("button", { name: "Link", exact: true }).click();
  await page.getByRole("button", { name: /^Unlink/ }).waitFor();

  await page.getByRole("button", { name: "Run now" }).click();
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\/runs\//);
  // The run fails, because the application has no webhook.
  const details = page.getByRole("button", { name: "Details of the test of Asked in the console" });
  await details.click();
  await page.getByText("no_webhook: The application has no webhook").waitFor();
  await details.click();
  await page.getByText("no_webhook: The application has no webhook").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Asked in the console" }).first().click();
  await page.waitForURL(/\/tests\//);
  await page.getByText("no_webhook: The application has no webhook").waitFor();
});

test("a file of tasks is imported as a whole, or its errors are listed by row and field", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/tasks`);
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  const choose = async (...lines: string[]) => {
    const choosing = page.waitForEvent("filechooser");
    await dialog.getByRole("button", { name: /^File/ }).click();
    const buffer = Buffer.from(lines.join("\n"));
    await (await choosing).setFiles({ name: "tasks.csv", mimeType: "text/csv", buffer });
  };
  await choose("title,topic,prompt", "Of a file,Nowhere,Why?", ",,What?");
  await dialog.getByText("Nothing is imported: 1 error in 2 rows.").waitFor();
  await dialog.getByRole("cell", { name: "There is no topic Nowhere" }).waitFor();
  await choose("title,prompt", "First of a file,Why?", "Second of a file,What?");
  await dialog.getByText("2 tasks can be imported: all of them, or none.").waitFor();
  await dialog.getByRole("button", { name: "Import 2 tasks" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto(`${facts.baseUrl}/tasks?search=of%20a%20file`);
  await page.getByRole("link", { name: "First of a file" }).waitFor();
  await page.getByRole("link", { name: "Second of a file" }).waitFor();
});

test("the palette finds a topic, and shortcuts open pages", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/`);
  await title(page, "Overview");
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Go to a page").fill("opening");
  await page.getByText("Opening an account", { exact: true }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByPlaceholder("Go to a page").waitFor({ state: "hidden" });
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await title(page, "Topics");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});

test("a page displays its request as a curl line", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/topics?title=card`);
  await page.getByText("1–1 of 1").waitFor();
  await page.getByRole("button", { name: "Request" }).click();
  const line = await page
    .getByText(/^curl /)
    .first()
    .textContent();
  expect(line).toContain("/v0/topics?");
  expect(line).toContain("title=card");
  expect(line).not.toContain(facts.apiKey);
});

test("signs in to an empty application and adds sample data with one click", async () => {
  const { page } = watched;
  const { apiKey, applicationId } = await newTenant({}, facts);
  await page.goto(`${facts.baseUrl}/sign-in`);
  await page.getByLabel("API key").fill(apiKey);
  await page.getByLabel("Application").fill(applicationId);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "No tests yet" }).waitFor();
  await page.getByRole("button", { name: "Add sample data" }).click();
  const changed = page.getByRole("region", { name: "Largest weekly changes" });
  await changed.getByRole("link", { name: "Cards" }).waitFor();
  await page.getByText("n = 360").waitFor();
  await page.goto(`${facts.baseUrl}/traces`);
  await page.getByRole("row").nth(1).waitFor();
});

test("signs in to another application in a second tab, and the first tab refuses to save", async () => {
  const { page } = watched;
  const [first, second] = [await newTenant({}, facts), await newTenant({}, facts)];
  const signIn = async (tab: Page, { apiKey, applicationId }: typeof first) => {
    await tab.goto(`${facts.baseUrl}/sign-in`);
    await tab.getByLabel("API key").fill(apiKey);
    await tab.getByLabel("Application").fill(applicationId);
    await tab.getByRole("button", { name: "Sign in" }).click();
    await title(tab, "Overview");
  };
  await signIn(page, first);
  await page.goto(`${facts.baseUrl}/topics`);
  await page.getByRole("button", { name: "New topic" }).first().click();
  await page.getByRole("dialog").getByLabel("Title").fill("Of the first");
  const other = await page.context().newPage();
  await signIn(other, second);
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await page.getByRole("dialog", { name: "Application switched" }).waitFor();
  for (const { api } of [first, second]) expect((await api.get("/v0/topics")).body.pagination.total).toBe(0);
  await page.getByRole("button", { name: "Continue with the other application" }).click();
  await title(page, "Overview");
  await other.close();
});

test("signs in nowhere over plain HTTP with another machine's name, and the form says why", async () => {
  const { page } = watched;
  const { port } = new URL(facts.baseUrl);
  // The browser cannot resolve the name, so fulfill its request with the response that the name would get.
  const state = await answerFor(`console.example:${port}`);
  await page.route("**/console/api/session", (route) => route.fulfill({ json: state }));
  await page.goto(`${facts.baseUrl}/sign-in`);
  await page.getByText("Sign-in unavailable").waitFor();
  await page.getByText(/plain http/).waitFor();
  expect(await page.getByRole("button", { name: "Sign in" }).isDisabled()).toBe(true);
});

async function answerFor(host: string): Promise<unknown> {
  const sent = request(`${facts.baseUrl}/console/api/session`, { headers: { host } }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return json(answer);
}

test("times are in the viewer's time zone, with UTC in the tooltip", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/runs`);
  const time = page.locator("td time").first();
  await time.waitFor();
  const at = (await time.getAttribute("datetime")) ?? "";
  expect(await time.getAttribute("title")).toBe(`${at.slice(0, 19).replace("T", " ")} UTC`);
});
