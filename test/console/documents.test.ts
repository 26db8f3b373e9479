// Tests documents: comparing versions, and changing the status of several.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, onTestFinished, test } from "vitest";
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

test("several files and a folder are uploaded, and each shows what it became", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/documents`);
  const open = () => page.getByRole("button", { name: "Upload", exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  const row = (name: string) => dialog.getByRole("row").filter({ hasText: name });
  await open();
  await dialog.locator('input[name="files"]').setInputFiles([
    { name: "opening.md", mimeType: "text/markdown", buffer: Buffer.from("# Opening\n\nBring an identity card.") },
    { name: "hours.txt", mimeType: "text/plain", buffer: Buffer.from("Ge\xf6ffnet t\xe4glich f\xfcr Sie.", "latin1") },
    { name: "empty.html", mimeType: "text/html", buffer: Buffer.from("<p></p>") },
    { name: "logo.png", mimeType: "image/png", buffer: Buffer.from("png") },
  ]);
  await dialog.getByText("Ignored, not a document: logo.png").waitFor();
  await dialog.getByRole("button", { name: "Upload 3 files" }).click();
  await row("opening.md").getByText("1 document", { exact: true }).waitFor();
  await row("hours.txt").getByText("1 document, read as windows-1252").waitFor();
  await row("empty.html").getByText("Failed").waitFor();
  await dialog.getByText("2 of 3 files uploaded").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  const folder = await mkdtemp(join(tmpdir(), "ems-folder-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "fees", ".git"), { recursive: true });
  await writeFile(join(folder, "fees", "card.md"), "A card costs nothing.");
  await writeFile(join(folder, "fees", ".git", "HEAD.txt"), "ref");
  await open();
  await dialog.locator('input[name="folder"]').setInputFiles(join(folder, "fees"));
  await dialog.getByRole("button", { name: "Upload 1 file" }).click();
  await row("fees/card.md").getByText("1 document").waitFor();
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();

  await open();
  const dropped = await page.evaluateHandle(`
    const transfer = new DataTransfer();
    for (const name of ["b.txt", "a.txt"]) transfer.items.add(new File(["Text of " + name], name));
    transfer`);
  const area = dialog.getByRole("region", { name: "Files to upload" });
  await area.dispatchEvent("drop", { dataTransfer: dropped });
  await dialog.getByRole("button", { name: "Upload 2 files" }).click();
  await dialog.getByText("2 of 2 files uploaded").waitFor();
  await row("b.txt").getByText("1 document").waitFor();
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
