// Tests how people choose and read: typed dates, choices among more than a hundred, values of charts, copied tables.

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened, { permissions: ["clipboard-read", "clipboard-write"] });

const open = async (path: string) => {
  await watched.page.goto(`${facts.baseUrl}${path}`);
  await watched.page.getByRole("heading", { level: 1 }).waitFor();
};
const readSearch = (page: Page) => new URL(page.url()).searchParams;

test("dates are typed digit by digit, and each makes one entry of the history", async () => {
  const { page } = watched;
  await open("/tests");
  const from = page.getByLabel("From");
  await page.getByRole("button", { name: "Days" }).click();
  const length = () => page.evaluate<number>("history.length");
  const before = await length();
  await from.focus();
  await page.keyboard.type("11052026", { delay: 40 });
  await expect.poll(() => readSearch(page).get("from")).toBe("2026-11-05");
  expect((await length()) - before).toBe(1);
  await page.getByLabel("To", { exact: true }).focus();
  await page.keyboard.type("11152026", { delay: 40 });
  await expect.poll(() => readSearch(page).get("to")).toBe("2026-11-15");
  expect(readSearch(page).get("from")).toBe("2026-11-05");
});

test("the 101st topic is found by typing in a filter and in a form, and a stored one keeps its name", async () => {
  const { page } = watched;
  const made = async (title: string) => ((await call("POST", "/v0/topics", { title })).data as { id: string }).id;
  for (let number = 1; number <= 100; number++) await made(`A filler ${String(number).padStart(3, "0")}`);
  const id = await made("Zeppelin insurance");
  await open("/tasks");
  await page.getByRole("button", { name: "Topic" }).click();
  await page.getByText(/^100 of [\d,]+, type to find others$/).waitFor();
  await page.getByLabel("Find in Topic").fill("zeppelin");
  await page.getByLabel("Zeppelin insurance").check();
  await expect.poll(() => readSearch(page).get("topicId")).toBe(id);
  await page.getByRole("button", { name: "Topic Zeppelin insurance" }).waitFor();

  await open("/tasks");
  await page.getByRole("button", { name: "New task" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Insured?");
  await dialog.getByLabel("Description").fill("About airships.");
  await dialog.getByRole("combobox", { name: "Topic" }).click();
  await page.keyboard.type("zepp");
  await page.getByRole("option", { name: "Zeppelin insurance" }).click();
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "Insured?" }).waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect.poll(() => dialog.getByRole("combobox", { name: "Topic" }).inputValue()).toBe("Zeppelin insurance");
});

test("a chart has its values in its name and as a table, whose rows open the same as its points", async () => {
  const { page } = watched;
  await open("/");
  const chart = page.getByRole("img", { name: /^Daily pass rate.*Lowest .* %.*, highest .* %.*, latest .* %/ });
  await chart.waitFor();
  const summary = page.getByText("Show as table").first();
  await summary.focus();
  await page.keyboard.press("Enter");
  const table = page.getByRole("table", { name: /^Daily pass rate/ });
  await table.getByRole("columnheader", { name: "95 % interval" }).waitFor();
  await table.getByRole("rowheader").last().getByRole("button").click();
  await expect.poll(() => readSearch(page).get("from") ?? page.url()).not.toBeNull();
});

test("a table is copied with one line for each row, and numbers that a spreadsheet understands", async () => {
  const { page } = watched;
  await open("/tasks");
  await page.getByRole("row").nth(1).waitFor();
  const rows = await page.getByRole("row").count();
  await page.getByRole("button", { name: "Copy as table" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(copied.split("\n")).toHaveLength(rows);
  expect(copied).not.toContain("\u2212");
});
