// Runs document tests with the scripted model, from start to results.

import { modelServer } from "@ems/test-support/model-server";
import { afterAll, expect, test } from "vitest";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const models = await modelServer();
const opened = await openConsole({ MODEL_ALLOW_CIDRS: "127.0.0.1/32" });
afterAll(async () => {
  await opened.close();
  await models.close();
});
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

const start = async (type: string) => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/document-tests`);
  await page.getByRole("button", { name: "Test documents" }).first().click();
  await page.getByRole("radio", { name: type, exact: true }).check();
  await page.getByRole("button", { name: "Start", exact: true }).click();
};
const titled = (name: string) => watched.page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const table = (name: string) => watched.page.getByRole("region", { name, exact: true });

test("the form reports a missing model; with a model, coverage is measured and contradictions go to review", async () => {
  const { page } = watched;
  await start("Knowledge coverage");
  await page.getByRole("dialog").getByText("no model connection").first().waitFor();

  const connection = { provider: "openai-compatible", model: "judge-1", apiKey: "sk-of-documents" };
  await call("POST", "/v0/model-connections", { ...connection, name: "Judge", baseUrl: models.url });
  for (const [title, content] of [
    ["Fees of old", "Accounts cost 5 euros a month. Everybody may open accounts."],
    ["Fees of today", "Accounts cost 9 euros a month. Everybody may open accounts."],
  ])
    await call("POST", "/v0/documents", { title, content, status: "APPROVED" });

  await page.getByRole("button", { name: "Start", exact: true }).click();
  await titled("Knowledge coverage");
  await page.getByText("Completed", { exact: true }).first().waitFor();
  expect(await table("Tasks").getByRole("link").count()).toBeGreaterThan(0);

  await start("Overlaps and contradictions");
  await titled("Overlaps and contradictions");
  await page.getByText("Completed", { exact: true }).first().waitFor();
  const pair = table("Pairs of documents").getByRole("row").filter({ hasText: "Fees of old" }).first();
  await pair.getByRole("link", { name: "Fees of today" }).waitFor();
  await pair.getByRole("cell").nth(2).getByRole("link").first().click();
  await page.waitForURL(/\/quickstarts\/.*\/contradictions/);

  await page.goto(`${facts.baseUrl}/document-tests?type=MECE`);
  await table("Document tests")
    .getByText(/^Mean overlap/)
    .waitFor();
  expect(await table("Document tests").getByRole("link", { name: "Knowledge coverage" }).count()).toBe(0);
});
