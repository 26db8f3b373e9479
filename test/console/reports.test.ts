// Tests reports: building one, reloading it from the URL, exporting and printing it.

import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { openConsole, whenLoaded } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts } = opened;
const watched = pageOfEachTest(opened, {
  acceptDownloads: true,
  reducedMotion: "reduce",
  colorScheme: "dark",
  viewport: { width: 1440, height: 1000 },
});

const table = () => watched.page.getByRole("region", { name: "Report" });

test("a bare URL is completed to the whole query, which a reload restores", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/reports`);
  await page.getByRole("button", { name: "Save Average Passed as PNG" }).and(page.locator(":enabled")).waitFor();
  const { searchParams } = new URL(page.url());
  expect(searchParams.getAll("measure")).toEqual(["count", "avg:passed", "interval:passed"]);
  expect(searchParams.get("timezone")).not.toBeNull();

  await page.getByLabel("Group by").first().click();
  await page.getByRole("option", { name: "Topic", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.waitForURL(/group=string/);
  await page.getByRole("button", { name: "Add filter" }).click();
  const editor = page.getByRole("dialog", { name: "Add filter" });
  await editor.getByLabel("Column").selectOption("status");
  await editor.getByLabel("Values").first().click();
  await editor.getByRole("option", { name: "Completed" }).click();
  await editor.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Status is Completed", exact: true }).waitFor();
  await page.getByRole("link", { name: "Opening an account" }).first().waitFor();
  await whenLoaded(page);
  const [address, text] = [page.url(), await table().textContent()];
  await page.goto(address);
  await page.getByRole("button", { name: "Status is Completed", exact: true }).waitFor();
  await expect.poll(() => table().textContent(), { timeout: 10_000 }).toBe(text);
});

test("CSV contains all pages of the report, and a chart is saved as PNG", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/reports?source=test&group=string:taskId&measure=count&timezone=UTC&limit=5`);
  await page.getByText(/^1–5 of \d+$/).waitFor();
  const total = Number(/of (\d+)/.exec((await page.getByText(/^1–5 of \d+$/).textContent()) ?? "")?.[1]);
  const [csv] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  const lines = (await readFile(await csv.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines[0]).toBe("\uFEFFTask,Task ID,Count (count)");
  expect(lines).toHaveLength(total + 1);
  const [png] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save Count as PNG" }).click(),
  ]);
  const bytes = await readFile(await png.path());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
});

test("every compatible chart type is rendered", async () => {
  const { page } = watched;
  const drawn = new Set<string>();
  const groups = ["", "date:createdAt:month", "string:topicId", "string:topicId&group=string:status"];
  for (const group of groups) {
    await page.goto(`${facts.baseUrl}/reports?source=test&group=${group}&measure=count&timezone=UTC`);
    await whenLoaded(page);
    const choice = page.getByRole("radiogroup", { name: "Chart" });
    for (const label of await choice.locator("label").all()) {
      const name = (await label.textContent()) ?? "";
      await label.click();
      const isDrawn = name !== "Table only" && name !== "Number";
      if (isDrawn)
        await page
          .getByRole("img", { name: `Count, ${name} of` })
          .locator("canvas")
          .first()
          .waitFor();
      else await page.locator("canvas").first().waitFor({ state: "detached" });
      drawn.add(name);
    }
  }
  expect([...drawn].sort()).toEqual(["Area", "Bar", "Heatmap", "Line", "Number", "Pie", "Table only"]);
});

test("a print has no menu and lists the filters", async () => {
  const { page } = watched;
  const filter = encodeURIComponent('string:status:eq:["COMPLETED"]');
  await page.goto(
    `${facts.baseUrl}/reports?source=test&filter=${filter}&group=string:topicId&measure=count&timezone=UTC`,
  );
  await page.getByRole("link", { name: "Opening an account" }).waitFor();
  await page.emulateMedia({ media: "print" });
  await page.getByRole("listitem").filter({ hasText: "Status is Completed" }).waitFor();
  expect(await page.getByRole("navigation", { name: "Menu" }).isVisible()).toBe(false);
  expect(await page.getByRole("button", { name: "CSV" }).isVisible()).toBe(false);
  expect(await page.getByText("time zone UTC").isVisible()).toBe(true);
});

test("a query that the API rejects displays the error with its request id", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/reports?source=test&group=string:nothing&timezone=UTC`);
  await page.getByRole("alert").getByText("Request id").waitFor();
});
