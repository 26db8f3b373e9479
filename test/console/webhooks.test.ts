// Tests the webhook and its deliveries, with a receiver that fails and recovers.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";
import { filledFields, managedFields } from "./saved-passwords.ts";

const opened = await openConsole();
let status = 500;
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(status, { "content-type": "text/plain" }).end("<b>out of order</b>");
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await opened.close();
});
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

test("a webhook is set up, displays its secret in one dialog, and redelivers a failed delivery", async () => {
  const { page } = watched;
  // Remove the webhook that an earlier attempt of this test created.
  await call("DELETE", "/v0/webhook");
  status = 500;
  await page.goto(`${facts.baseUrl}/webhook`);
  await page.getByRole("button", { name: "Set up the webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("ftp://nowhere");
  await dialog.getByRole("button", { name: "Set up", exact: true }).click();
  await dialog.getByText("must be https and resolve to a public host").first().waitFor();
  await dialog.getByLabel("URL").fill(receiverUrl);
  await dialog.getByRole("button", { name: "Add header" }).click();
  await dialog.getByLabel("Name of header 1").fill("authorization");
  expect([await filledFields(page), await managedFields(page)]).toEqual([{ passwords: [], userNames: [] }, []]);
  await dialog.getByLabel("Value of header 1").fill(`Bearer ${facts.apiKey}`);
  await dialog.getByRole("button", { name: "Set up", exact: true }).click();
  await dialog.getByText("Must not contain an API key of this service").first().waitFor();
  await dialog.getByLabel("Value of header 1").fill("Bearer secret-of-ours");
  await dialog.getByRole("button", { name: "Set up", exact: true }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByText(/whsec_\w{8}|secret-of-ours/).count()).toBe(0);

  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("The test failed: HTTP 500").waitFor();
  await call("POST", "/v0/topics", { title: "For a delivery" });
  const newest = async () => {
    const { data } = await call("GET", "/v0/webhook/deliveries?type=topic.created&limit=1");
    return data;
  };
  await expect.poll(newest).toMatchObject([{ lastOutcome: "HTTP_STATUS" }]);
  await page.goto(`${facts.baseUrl}/deliveries?type=topic.created`);
  await page.getByRole("button", { name: "Details of the delivery of topic.created" }).first().click();
  await page.getByRole("article", { name: "Attempt 1" }).getByText("<b>out of order</b>").waitFor();
  await page.getByRole("link", { name: "topic.created" }).first().click();
  await page.getByText("For a delivery").waitFor();
  await page.getByRole("article", { name: "Attempt 1" }).getByText("<b>out of order</b>").waitFor();
  await page.getByText("For a delivery").waitFor();

  status = 204;
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("HTTP 204").first().waitFor();
  await page.goto(`${facts.baseUrl}/webhook`);
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("The receiver acknowledged the test: HTTP 204").waitFor();
});

test("a webhook's secret is rotated, its deliveries recovered and the webhook deleted, by keyboard alone", async () => {
  const { page } = watched;
  const press = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  status = 204;
  await call("POST", "/v0/webhook", { url: receiverUrl });
  await call("POST", "/v0/webhook/test");
  await page.goto(`${facts.baseUrl}/webhook`);
  await page.getByRole("button", { name: "Rotate secret" }).waitFor();
  await press("Rotate secret");
  await press("Rotate");
  await page.getByText(/^whsec_/).waitFor();
  await press("I have stored it");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.goto(`${facts.baseUrl}/deliveries?status=DELIVERED`);
  await page.getByRole("link", { name: "webhook.test" }).first().waitFor();
  await press("Recover");
  await press("Send again");
  await page.getByText(/^Sending \d+ events? again/).waitFor();
  await page.keyboard.press("Escape");

  await page.goto(`${facts.baseUrl}/webhook`);
  await page.getByRole("button", { name: "Delete" }).waitFor();
  await press("Delete");
  await page.getByText("Cancels pending deliveries").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("No webhook yet").waitFor();
});
