// Tests documents: comparing versions, and changing the status of several.

import type { Page } from "playwright-core";
import { afterAll, test } from "vitest";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

test("a document gets a second version, which is compared word by word and activated", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/documents`);
  await page.getByRole("button", { name: "New document" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Title").fill("Fees of an account");
  await dialog.getByRole("textbox", { name: /^Text/ }).fill("An account costs nothing for two years.");
  await dialog.getByRole("button", { name: "Create" }).click();
  await title(page, "Fees of an account");

  await page.getByRole("button", { name: "New version" }).click();
  await dialog.getByRole("textbox", { name: /^Text/ }).fill("An account costs three euros for two years.");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/version=2/);
  await page.locator("ins").filter({ hasText: "three" }).waitFor();
  await page.locator("del").filter({ hasText: "nothing" }).waitFor();
  await page.reload();
  await page.locator("ins").filter({ hasText: "three" }).waitFor();
  await page.getByRole("button", { name: "Make active" }).click();
  await page.getByRole("button", { name: "Make active" }).waitFor({ state: "detached" });
});

test("a bulk change of statuses reports a deleted document with its reason", async () => {
  const { page } = watched;
  const made = async (name: string) => {
    const { document } = (await call("POST", "/v0/documents", {
      title: name,
      content: "text",
      documentStatus: "ACTIVE",
    })) as {
      document: { id: string };
    };
    return document.id;
  };
  const [, gone] = [await made("Bulk stays"), await made("Bulk goes")];
  await page.goto(`${facts.baseUrl}/documents?search=Bulk`);
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await fetch(`${facts.baseUrl}/v0/documents/${gone}`, {
    method: "DELETE",
    headers: { "x-api-key": facts.apiKey ?? "", "x-application-id": facts.applicationId },
  });
  await page.getByRole("toolbar").getByRole("button", { name: "Approved" }).click();
  await page.getByRole("alert").getByText(gone).waitFor();
  await page
    .getByRole("row", { name: /Bulk stays/ })
    .getByText("Approved")
    .waitFor();
});
