// Tests two people who edit the same resource: the second one sees both versions, chooses one and loses no input.

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { axe, brokenRules } from "./axe.ts";
import { editedForms } from "./edited-forms.ts";
import { openConsole, watchedPage } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened, { bypassCSP: true, reducedMotion: "reduce" });

const open = async (path: string, page = watched.page) => {
  await page.goto(`${facts.baseUrl}${path}`);
  await page.locator("h1").first().waitFor();
};
const made = async (path: string, body: unknown) => ((await call("POST", path, body)).data as { id: string }).id;
const stored = async (path: string) => (await call("GET", path)) as { data: Record<string, unknown> };
const conflict = (page: Page) => page.getByRole("dialog", { name: "Changed while you were editing" });
/** Returns the two versions of a field in the conflict dialog. */
async function versions(page: Page, field: string): Promise<string[]> {
  const header = page.getByRole("rowheader", { name: new RegExp(`^${field}`) });
  const cells = conflict(page).locator("tbody").filter({ has: header }).getByRole("cell");
  await cells.first().waitFor();
  return cells.allTextContents();
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("the second editor of an evaluator can keep editing, take the stored version, and restore their own", async () => {
  const ann = watched.page;
  const { page: ben, complaints } = await watchedPage(ann.context(), facts);
  const name = "Says the price";
  const id = await made("/v0/definitions", { type: "CUSTOM", name, globalConfig: { criterion: "It names a price." } });
  const criterion = (page: Page) => page.getByRole("textbox", { name: "Criterion" });
  for (const page of [ann, ben]) await open(`/definitions/${id}/edit`, page);
  await criterion(ann).fill("It names the price in euros.");
  await button(ann, "Save").click();
  await ann.getByRole("heading", { level: 1, name }).waitFor();

  await criterion(ben).fill("It names the price in dollars.");
  await button(ben, "Save").click();
  expect(await versions(ben, "Criterion")).toEqual(["It names the price in dollars.", "It names the price in euros."]);
  for (const colorScheme of ["light", "dark"] as const) {
    await ben.emulateMedia({ colorScheme });
  }
  await button(ben, "Keep editing").click();
  await conflict(ben).waitFor({ state: "detached" });
  expect(await criterion(ben).inputValue()).toBe("It names the price in dollars.");

  // The form still has its base version, so saving a second time reports the conflict again.
  await ben.getByLabel("Name").fill("Says the price in dollars");
  await button(ben, "Save").click();
  expect(await versions(ben, "Name")).toEqual(["Says the price in dollars", name]);
  await button(ben, "Take theirs").click();
  await expect.poll(() => criterion(ben).inputValue()).toBe("It names the price in euros.");
  await button(ben, "Restore mine").click();
  expect(await criterion(ben).inputValue()).toBe("It names the price in dollars.");
  await button(ben, "Show theirs").click();
  expect(await ben.getByLabel("Name").inputValue()).toBe(name);
  await button(ben, "Restore mine").click();
  expect((await stored(`/v0/definitions/${id}`)).data).toMatchObject({
    globalConfig: { criterion: "It names the price in euros." },
  });
  await button(ben, "Save").click();
  await ben.getByRole("heading", { level: 1, name: "Says the price in dollars" }).waitFor();
  const globalConfig = { criterion: "It names the price in dollars." };
  expect((await stored(`/v0/definitions/${id}`)).data).toMatchObject({
    name: "Says the price in dollars",
    globalConfig,
  });
  expect(complaints).toEqual([]);
});

test("a conflict is resolved by keyboard and accessible: Escape returns to the form, Enter keeps mine", async () => {
  const { page } = watched;
  const id = await made("/v0/topics", { title: "Cards", baseline: 0.5 });
  await open(`/topics/${id}`);
  await button(page, "Edit").click();
  const form = page.getByRole("dialog", { name: "Edit topic" });
  await form.getByLabel("Title").fill("Cards and loans");
  await call("PUT", `/v0/topics/${id}`, { title: "Cards of all kinds", baseline: 0.75 });
  await page.keyboard.press("Enter");
  expect(await versions(page, "Title")).toEqual(["Cards and loans", "Cards of all kinds"]);
  expect(await versions(page, "Baseline")).toEqual(["0.5", "0.75"]);
  await conflict(page).getByText("Changed by them").waitFor();
  await page.evaluate(axe);
  for (const [colorScheme, width] of [
    ["light", 1440],
    ["dark", 1440],
    ["dark", 380],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.locator(`[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    expect([colorScheme, width, await brokenRules(page)]).toEqual([colorScheme, width, []]);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate<number>(overflow)).toBeLessThanOrEqual(0);
  }

  expect(await page.locator(":focus").textContent()).toBe("Keep editing");
  await page.keyboard.press("Escape");
  await conflict(page).waitFor({ state: "detached" });
  expect(await form.getByLabel("Title").inputValue()).toBe("Cards and loans");
  await expect.poll(() => form.locator(":focus").count()).toBe(1);
  await form.getByLabel("Title").focus();
  await page.keyboard.press("Enter");
  await conflict(page).waitFor();
  // Tab keeps the focus in the topmost dialog.
  const reached = new Set<string | null>();
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press("Tab");
    expect(await conflict(page).locator(":focus").count()).toBe(1);
    reached.add(await page.locator(":focus").textContent());
  }
  expect(reached).toContain("Take theirs");
  await button(page, "Keep mine").focus();
  await page.keyboard.press("Enter");
  await form.waitFor({ state: "detached" });
  expect((await stored(`/v0/topics/${id}`)).data).toMatchObject({ title: "Cards and loans", baseline: 0.5 });
});

test("a change of other fields by another person is not a conflict and is kept", async () => {
  const { page } = watched;
  await call("POST", "/v0/issues", { title: "Wrong price", source: "API" });
  const { data: latest } = await call("GET", "/v0/issues?orderBy=createdAt&orderDir=desc&limit=1");
  const id = (latest as { id: string }[])[0]?.id;
  await open(`/issues/${id}`);
  await button(page, "Edit").click();
  const form = page.getByRole("dialog", { name: "Edit issue" });
  await form.getByLabel("Title").fill("Wrong price of cards");
  await call("PUT", `/v0/issues/${id}`, { status: "RESOLVED" });
  await button(page, "Save").click();
  await form.waitFor({ state: "detached" });
  expect((await stored(`/v0/issues/${id}`)).data).toMatchObject({ title: "Wrong price of cards", status: "RESOLVED" });

  // A new status is saved immediately, and conflicts only with a concurrent change of the status.
  await open(`/issues/${id}`);
  await button(page, "Reopen").waitFor();
  await call("PUT", `/v0/issues/${id}`, { title: "Wrong price of loans", status: "REJECTED" });
  await button(page, "Reopen").click();
  expect(await versions(page, "Status")).toEqual(["Open", "Rejected"]);
  await button(page, "Take theirs").click();
  await page.getByText("Rejected", { exact: true }).first().waitFor();
  await call("PUT", `/v0/issues/${id}`, { title: "Wrong price of homes" });
  await button(page, "Reopen").click();
  await button(page, "Resolve").waitFor();
  expect((await stored(`/v0/issues/${id}`)).data).toMatchObject({ title: "Wrong price of homes", status: "OPEN" });
});

test.each(Object.entries(editedForms(call)))(
  "%s: the form displays both versions and can keep mine",
  async (_, prepare) => {
    const { page } = watched;
    const { path, type, changed, field, versions: expected, save = "Save" } = await prepare();
    await open(path);
    await type(page);
    await call("PUT", ...changed);
    await button(page, save).click();
    await conflict(page).waitFor();
    expect(await versions(page, field)).toEqual(expected);
    const answered = page.waitForResponse((response) => response.request().method() === "PUT");
    await button(page, "Keep mine").click();
    expect((await answered).status()).toBe(200);
    await conflict(page).waitFor({ state: "detached" });
  },
);
