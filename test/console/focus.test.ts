// Tests that the focus stays in the page after a dialog closes or a row is deleted.

import { afterAll, expect, test } from "vitest";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

/** Returns the focused element's text, else its id, else its tag name. */
const focused = () =>
  watched.page.evaluate<string>(
    "document.activeElement.innerText?.split('\\n')[0].slice(0, 40) || document.activeElement.id || document.activeElement.tagName",
  );

test("a closed dialog returns focus to the button that opened it", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/topics`);
  await page.getByRole("button", { name: "New topic" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByLabel("Title").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(focused).toBe("New topic");
});

test("focus stays in the page after a key is deleted", async () => {
  const { page } = watched;
  await call("POST", "/v0/api-keys", { name: "Soon gone" });
  await page.goto(`${facts.baseUrl}/settings/keys`);
  const row = page.getByRole("row").filter({ hasText: "Soon gone" });
  await row.getByRole("button", { name: /^Delete/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await row.waitFor({ state: "detached" });
  await expect
    .poll(() => page.evaluate<string>("document.activeElement.id || document.activeElement.tagName"))
    .not.toBe("BODY");
});
