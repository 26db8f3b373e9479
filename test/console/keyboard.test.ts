// Tests user journeys with the keyboard alone: no clicks, and no focus or input set by a script.

import { afterAll, expect, test } from "vitest";
import { byKeyboard } from "./by-keyboard.ts";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
// Tests that sign in start signed out, because a second sign-in ends the previous session.
const watched = pageOfEachTest(opened, { isSignedOut: (name) => name.startsWith("signs ") });

const { tabTo, press, type } = byKeyboard(watched);

const button = (name: string | RegExp) => watched.page.getByRole("button", { name, exact: true });
const inDialog = () => watched.page.getByRole("dialog");
const titled = (name: string) => watched.page.getByRole("heading", { level: 1, name }).waitFor();
const goTo = async (key: string, name: string) => {
  await watched.page.keyboard.press("g");
  await watched.page.keyboard.press(key);
  await titled(name);
};

test("signs in with the form, deletes the session's key, and is signed out", async () => {
  const { page } = watched;
  const { data } = (await call("POST", "/v0/api-keys", { name: "By keyboard" })) as { data: { key: string } };
  await page.goto(`${facts.baseUrl}/sign-in`);
  await type(page.getByLabel("API key"), data.key);
  await type(page.getByLabel("Application"), facts.applicationId);
  await page.keyboard.press("Enter");
  await titled("Overview");
  await goTo("i", "API keys");
  await press(button("Delete key By keyboard"));
  await page.getByText("You are signed in with this key").waitFor();
  await press(inDialog().getByRole("button", { name: "Delete", exact: true }));
  await titled("Sign in");
});

test("a topic and a task are created, linked to an evaluator and run, and the test explains its failure", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/`);
  await titled("Overview");
  await goTo("t", "Topics");
  await press(button("New topic"));
  await type(inDialog().getByLabel("Title"), "Made by keyboard");
  await page.keyboard.press("Enter");
  await titled("Made by keyboard");

  await press(button("New task"));
  await type(inDialog().getByLabel("Title"), "Asked by keyboard");
  await type(inDialog().getByLabel("Description"), "A question that a person types.");
  await press(inDialog().getByRole("button", { name: "Create" }));
  await titled("Asked by keyboard");

  await press(button("Link"));
  await tabTo(inDialog().getByRole("combobox").or(inDialog().getByLabel("Evaluators")).first());
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await press(inDialog().getByRole("button", { name: "Link", exact: true }));
  await button(/^Unlink/).waitFor();

  await press(button("Run now"));
  await press(inDialog().getByRole("button", { name: "Run", exact: true }));
  await page.waitForURL(/\/runs\//);
  await press(page.getByRole("link", { name: "Asked by keyboard" }).first());
  await page.waitForURL(/\/tests\//);
  await page.getByText("no_webhook: The application has no webhook").waitFor();
});

test("a report is grouped, reloaded from its URL, and saved as CSV", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/`);
  await titled("Overview");
  await goTo("p", "Reports");
  await button("Save Average Passed as PNG").and(page.locator(":enabled")).waitFor();
  await tabTo(page.getByLabel("Group by").first());
  await page.keyboard.type("topic");
  await page.getByRole("option", { name: "Topic", exact: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/group=string/);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Opening an account" }).first().waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Opening an account" }).first().waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), press(button("CSV"))]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
});

test("a failed delivery is found and redelivered", async () => {
  const { page } = watched;
  // No receiver listens at this port, so that deliveries fail.
  await call("POST", "/v0/webhook", { url: "http://127.0.0.1:65535" });
  await call("POST", "/v0/topics", { title: "For a delivery" });
  const tried = async () => (await call("GET", "/v0/webhook/deliveries?type=topic.created&limit=1")).data;
  await expect.poll(tried).toMatchObject([{ lastOutcome: "CONNECTION_REFUSED" }]);
  await page.goto(`${facts.baseUrl}/`);
  await titled("Overview");
  await goTo("e", "Deliveries");
  await press(page.getByRole("link", { name: "topic.created" }).first());
  await page.getByRole("article", { name: "Attempt 1" }).waitFor();
  await press(button("Send again"));
  await page.getByRole("article", { name: "Attempt 2" }).waitFor();
  await call("DELETE", "/v0/webhook");
});
