// Tests that what people type is kept: ended sessions, lost answers, double clicks, clicks outside, offline.

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { openConsole, watchedPage } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
// Tests that sign in start signed out, because a second sign-in ends the previous session.
const watched = pageOfEachTest(opened, {
  reducedMotion: "reduce",
  isSignedOut: (name) => name.startsWith("signs "),
  // Some tests cut the network.
  expected: /net::ERR_(CONNECTION_RESET|INTERNET_DISCONNECTED)/,
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const countTopics = async (title: string) => {
  const { data } = await call("GET", "/v0/topics?limit=100&orderBy=createdAt&orderDir=desc");
  return (data as { title: string }[]).filter((topic) => topic.title === title).length;
};
const focused = (page: Page) => page.locator(":focus");

async function openForm(path: string, opener: string, name = opener, page = watched.page) {
  await page.goto(`${facts.baseUrl}${path}`);
  await button(page, opener).first().click();
  const form = dialog(page, name);
  await form.waitFor();
  return form;
}

async function signIn(page: Page) {
  await page.goto(`${facts.baseUrl}/sign-in`);
  await page.getByLabel("API key").fill(facts.apiKey ?? "");
  await page.getByLabel("Application").fill(facts.applicationId);
  await button(page, "Sign in").click();
  await heading(page, "Overview");
}

async function signInAgain(page: Page) {
  const ended = dialog(page, "Your session ended");
  await ended.getByLabel("API key").fill(facts.apiKey ?? "");
  await button(page, "Sign in").click();
  await ended.waitFor({ state: "detached" });
}

test("signs in again above the open form if the session ended, and sends the request again", async () => {
  const { page } = watched;
  await signIn(page);
  const form = await openForm("/documents", "New document");
  await form.getByLabel("Title").fill("Typed before the end");
  await form.getByRole("textbox", { name: /^Text/ }).fill("A text that took an hour.");
  await page.context().clearCookies();
  await button(page, "Create").click();
  await signInAgain(page);
  await heading(page, "Typed before the end");

  // The form of a page is renewed, too, also after its dialog was closed.
  await page.goto(`${facts.baseUrl}/definitions/new`);
  await page.getByLabel("Name").fill("Polite");
  await page.context().clearCookies();
  await page.getByRole("textbox", { name: "Criterion" }).fill("It is polite.");
  await button(page, "Create").click();
  await dialog(page, "Your session ended").waitFor();
  await page.keyboard.press("Escape");
  expect(await page.getByRole("textbox", { name: "Criterion" }).inputValue()).toBe("It is polite.");
  await button(page, "Create").click();
  await signInAgain(page);
  await heading(page, "Polite");
});

test("signs out in another tab: a form asks to sign in, other pages show the sign-in page", async () => {
  const { page } = watched;
  await signIn(page);
  const form = await openForm("/topics", "New topic");
  await form.getByLabel("Title").fill("Typed in the first tab");
  const { page: idle } = await watchedPage(page.context(), facts);
  await idle.goto(`${facts.baseUrl}/tasks`);
  await heading(idle, "Tasks");
  const { page: other } = await watchedPage(page.context(), facts);
  await other.goto(`${facts.baseUrl}/`);
  await button(other, "Sign out").click();
  await idle.getByText("Your session ended. Sign in again.").waitFor();
  expect(new URL(idle.url()).searchParams.get("from")).toBe("/tasks");
  await signInAgain(page);
  await button(page, "Create").click();
  await heading(page, "Typed in the first tab");
});

test("unsaved text survives clicks outside, and is discarded only after a question", async () => {
  const { page } = watched;
  const form = await openForm("/topics", "New topic");
  const title = form.getByLabel("Title");
  const question = dialog(page, "Discard unsaved changes?");
  await title.fill("Kept");
  await page.mouse.click(5, 400);
  expect(await title.inputValue()).toBe("Kept");
  await page.keyboard.press("Escape");
  await button(page, "Keep editing").click();
  await question.waitFor({ state: "detached" });
  expect(await title.inputValue()).toBe("Kept");
  // A reload asks the person, too; the tests' browser accepts.
  await expect.poll(() => page.evaluate<number>("sessionStorage.length")).toBeGreaterThan(0);
  await page.reload();
  await button(page, "New topic").first().click();
  await form.getByText("Your unsaved changes were restored.").waitFor();
  expect(await title.inputValue()).toBe("Kept");
  await button(page, "Start over").click();
  expect(await title.inputValue()).toBe("");
  await title.fill("Discarded");
  await page.keyboard.press("Escape");
  await button(page, "Discard").click();
  await form.waitFor({ state: "detached" });
  await button(page, "New topic").first().click();
  expect(await title.inputValue()).toBe("");
  // An unchanged form closes at once.
  await page.mouse.click(5, 400);
  await form.waitFor({ state: "detached" });

  await page.goto(`${facts.baseUrl}/definitions/new`);
  const name = page.getByLabel("Name");
  await name.fill("Half");
  await page.getByRole("link", { name: "Topics" }).click();
  await button(page, "Keep editing").click();
  expect(page.url()).toContain("/definitions/new");
  await page.getByRole("link", { name: "Topics" }).click();
  await button(page, "Discard").click();
  await heading(page, "Topics");
  await page.goBack();
  await heading(page, "New evaluator");
  expect(await name.inputValue()).toBe("");
});

test("a lost answer, a second click and a double click make one topic and one run", async () => {
  const { page } = watched;
  const form = await openForm("/topics", "New topic");
  const lost = `Answer lost ${crypto.randomUUID()}`;
  await form.getByLabel("Title").fill(lost);
  await page.route("**/v0/topics", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
    await page.unroute("**/v0/topics");
  });
  await button(page, "Create").click();
  await form.getByText("The server cannot be reached.").waitFor();
  await button(page, "Create").click();
  await heading(page, lost);
  expect(await countTopics(lost)).toBe(1);

  for (const delay of [0, 60, 115]) {
    const name = `Clicked twice ${crypto.randomUUID()}`;
    await openForm("/topics", "New topic");
    await form.getByLabel("Title").fill(name);
    await button(page, "Create").dblclick({ delay });
    await heading(page, name);
    expect(await countTopics(name)).toBe(1);
  }
  const { data: tasks } = await call("GET", "/v0/tasks?limit=1&status=ACTIVE");
  const [{ id } = { id: "" }] = tasks as { id: string }[];
  const countRuns = async () => ((await call("GET", "/v0/runs?limit=1")).pagination as { total: number }).total;
  const before = await countRuns();
  await page.goto(`${facts.baseUrl}/tasks/${id}`);
  await button(page, "Run now").click();
  await button(page, "Run").dblclick();
  await page.waitForURL(/\/runs\//);
  expect((await countRuns()) - before).toBe(1);
});

test("an offline change fails at once, and is not made later", async () => {
  const { page } = watched;
  const form = await openForm("/topics", "New topic");
  await form.getByLabel("Title").fill("Made offline");
  await page.context().setOffline(true);
  await page.getByText("You are offline. Nothing is saved").waitFor();
  await button(page, "Create").click();
  await form.getByText("You are offline.", { exact: true }).waitFor();
  await button(page, "Cancel").click();
  await form.waitFor({ state: "detached" });
  await page.context().setOffline(false);
  await page.getByText("You are offline. Nothing is saved").waitFor({ state: "detached" });
  await page.reload();
  await heading(page, "Topics");
  expect(await countTopics("Made offline")).toBe(0);
});

test("the first field with an error is focused and says what to enter", async () => {
  const { page } = watched;
  const form = await openForm("/topics", "New topic");
  await button(page, "Create").click();
  const title = form.getByLabel("Title");
  await expect.poll(() => focused(page).getAttribute("data-path")).toBe("title");
  expect(await form.getByRole("alert").textContent()).toBe("Enter a title");
  const description = await title.getAttribute("aria-describedby");
  expect(description).not.toBeNull();
  await page.route("**/v0/topics", (route) =>
    route.fulfill({
      status: 400,
      json: {
        message: "Invalid",
        issues: [{ path: ["title"], message: "String must contain at most 200 character(s)" }],
      },
    }),
  );
  await title.fill("Too long");
  await button(page, "Create").focus();
  await page.keyboard.press("Enter");
  await form.getByText("Use at most 200 characters").waitFor();
  await expect.poll(() => focused(page).getAttribute("data-path")).toBe("title");
  await page.unroute("**/v0/topics");
});

test("a file is dropped on its field, and a missed drop does not leave the page", async () => {
  const { page } = watched;
  const form = await openForm("/documents", "New document");
  const dropped = `(() => {
    const data = new DataTransfer();
    data.items.add(new File(["Dropped text"], "dropped.md", { type: "text/markdown" }));
    return data;
  })()`;
  const isPrevented = (type: string) =>
    page.evaluate<boolean>(
      `!document.body.dispatchEvent(new DragEvent("${type}", { dataTransfer: ${dropped}, bubbles: true, cancelable: true }))`,
    );
  expect([await isPrevented("dragover"), await isPrevented("drop")]).toEqual([true, true]);
  expect(await form.getByRole("textbox", { name: /^Text/ }).inputValue()).toBe("");
  await form
    .getByText("Choose or drop a file")
    .dispatchEvent("drop", { dataTransfer: await page.evaluateHandle(dropped) });
  await expect.poll(() => form.getByRole("textbox", { name: /^Text/ }).inputValue()).toBe("Dropped text");
  await button(page, "Cancel").click();
});
