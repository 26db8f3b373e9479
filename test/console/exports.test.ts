// Tests the page of scheduled exports, with storage that does not answer.

import { afterAll, expect, test } from "vitest";
import { axe, brokenRules, rules } from "./axe.ts";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";
import { filledFields, managedFields } from "./saved-passwords.ts";

// No storage listens at this port.
const endpoint = "http://127.0.0.1:65535";
const opened = await openConsole({ EXPORT_ALLOW_CIDRS: "127.0.0.0/8" });
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened, { bypassCSP: true, reducedMotion: "reduce" });

test("exports are set up, tested, changed without entering the key again, and deleted", async () => {
  const { page } = watched;
  await call("DELETE", "/v0/export-settings");
  await page.goto(`${facts.baseUrl}/settings/exports`);
  await page.getByRole("button", { name: "Set up exports" }).click();
  const dialog = page.getByRole("dialog");
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  await dialog.getByLabel("Endpoint").fill("http://10.0.0.1");
  await dialog.getByRole("textbox", { name: "Bucket" }).fill("results");
  await dialog.getByLabel("Access key id").fill("reader");
  await dialog.getByRole("checkbox", { name: "Tests" }).uncheck();
  await button("Save").click();
  await dialog.getByText("Enter a secret access key").first().waitFor();
  await dialog.getByLabel("Secret access key").fill("secret-of-storage");
  await button("Save").click();
  await dialog.getByText("must be https and resolve to a public host").first().waitFor();
  await dialog.getByLabel("Endpoint").fill(endpoint);
  await dialog.getByLabel("Secret access key").fill(facts.apiKey ?? "");
  await button("Save").click();
  await dialog
    .getByText(/API key of this service/)
    .first()
    .waitFor();
  expect([await filledFields(page), await managedFields(page)]).toEqual([{ passwords: [], userNames: [] }, []]);
  await dialog.getByLabel("Secret access key").fill("secret-of-storage");
  await button("Save").click();
  await page.getByText("JSON lines, gzip").waitFor();
  expect((await call("GET", "/v0/export-settings")).data).toMatchObject({ endpoint, datasets: ["TRACES"] });

  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByText("Could not write the test object").first().waitFor();
  await page.evaluate(axe);
  expect(await brokenRules(page, rules)).toEqual([]);
  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByText("The stored key is kept").first().waitFor();
  await dialog.getByLabel("Prefix").fill("/ems/console/");
  await dialog.getByRole("combobox", { name: "Interval" }).click();
  await page.getByRole("option", { name: "Daily" }).click();
  await button("Save").click();
  await page.getByText("ems/console", { exact: true }).first().waitFor();
  await page.getByText("Daily", { exact: true }).first().waitFor();

  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Access key id").fill("another");
  await dialog
    .getByText(/Enter it again/)
    .first()
    .waitFor();
  await button("Cancel").click();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No exports yet").waitFor();
  expect(await page.getByText("secret-of-storage").count()).toBe(0);
});
