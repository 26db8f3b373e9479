// Tests lists: filters set by dragging in a chart and by typing, and actions on rows.

import { afterAll, expect, test } from "vitest";
import { openConsole, whenLoaded } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

test.each([
  ["the overview", "/", "Tests per day"],
  ["the list of tests", "/tests", "Test results"],
  ["the list of runs", "/runs", "Test results"],
])("days of %s are selected by dragging over a chart, and earlier days with a button", async (_, path, name) => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}${path}`);
  const chart = page.getByRole("img", { name: `${name}, 30 days` });
  await chart.locator("canvas").waitFor();
  await whenLoaded(page);
  const drag = async () => {
    // Measure the position each time, because content above the chart may still grow.
    const { x, y, width, height } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width * 0.4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.7, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/, { timeout: 1_000 }).catch(() => undefined);
    return page.url();
  };
  // Repeat the drag, because the chart handles the pointer only shortly after rendering.
  await expect.poll(drag, { interval: 200 }).toMatch(/from=.*to=/);
  const { searchParams } = new URL(page.url());
  const [from, to] = [searchParams.get("from") ?? "", searchParams.get("to") ?? ""];
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  expect(days).toBeGreaterThan(6);
  expect(days).toBeLessThan(13);
  await page.getByRole("img", { name: `${name}, ${days} days` }).waitFor();
  const daysButton = page.getByRole("button", { name: /^Days/ });
  const chosen = await daysButton.textContent();
  await page.getByRole("button", { name: "Previous days" }).click();
  const dayBefore = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10);
  await page.waitForURL(new RegExp(`to=${dayBefore}`));
  // Wait for the page, which changes after the URL: its buttons start from the displayed days.
  await expect.poll(() => daysButton.textContent()).not.toBe(chosen);
  await page.getByRole("button", { name: "Next days" }).click();
  await page.waitForURL(new RegExp(`from=${from}&to=${to}`));
});

test("the filter box completes filter names and values, also in a search box", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/tests`);
  await page.getByRole("row").nth(1).waitFor();
  const box = page.getByRole("combobox", { name: "Filter…" });
  await page.keyboard.press("/");
  await page.keyboard.type("trig");
  await page.getByRole("option", { name: "Trigger:" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Trigger: Scheduled" }).waitFor();
  await page.keyboard.type("sched");
  await page.keyboard.press("Enter");
  await page.waitForURL(/runType=SCHEDULED/);
  expect(await box.inputValue()).toBe("");
  await page.keyboard.type("7 days");
  await page.keyboard.press("Enter");
  await page.waitForURL(/from=.*to=/);

  await page.goto(`${facts.baseUrl}/tasks`);
  await page.getByRole("combobox", { name: "Search titles and descriptions" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("stolen");
  await page.waitForURL(/search=stolen/);
  await page.getByRole("option", { name: "Topic: Lost and stolen cards" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/topicId=/);
  await expect.poll(() => page.url()).not.toContain("search=");
  await page.getByRole("button", { name: "Topic Lost and stolen cards" }).waitFor();
});

test("tasks are tagged in bulk, and one is scheduled, archived and restored", async () => {
  const { page } = watched;
  const name = `Tag ${Date.now()}`;
  await call("POST", "/v0/tags", { name });
  await page.goto(`${facts.baseUrl}/tasks?search=card`);
  const boxes = page.getByRole("checkbox", { name: /^Select (?!all)/ });
  await boxes.first().check();
  await boxes.nth(1).check();
  await page.getByText("2 tasks selected").waitFor();
  await page.getByRole("button", { name: "Add tag" }).click();
  await page.getByRole("menuitem", { name }).click();
  await expect.poll(() => page.getByRole("cell", { name }).count()).toBe(2);

  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Type" }).check();
  await page.getByRole("columnheader", { name: "Type" }).waitFor();
  expect(new URL(page.url()).searchParams.getAll("columns")).toContain("type");
  await page.keyboard.press("Escape");

  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("button", { name: "Set", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Cron").fill("* * * * *");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Cron").fill("30 6 * * *");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("30 6 * * *").waitFor();
  await page.getByText("Next run").waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("No schedule. Run the task manually, or set one.").waitFor();

  await page.getByRole("button", { name: "Archive" }).click();
  await dialog.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("button", { name: "Restore" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Archive" }).waitFor();
});

test("a test is rerun from its page", async () => {
  const { page } = watched;
  const { data } = (await call("GET", "/v0/tests?status=COMPLETED&runType=SCHEDULED&limit=1")) as {
    data: { id: string }[];
  };
  await page.goto(`${facts.baseUrl}/tests/${data[0]?.id}`);
  await page.getByRole("button", { name: "Rerun" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\/runs\//);
  await page.getByText("1 of 1").first().waitFor();
});
