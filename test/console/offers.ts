// What pages let somebody do whose role or key may not.

import type { Page } from "playwright-core";
import { whenLoaded } from "./open-console.ts";

/** Controls that change nothing but what is shown or typed. */
const reading =
  /^(Request|Retry|Copy|Details of |Select |Days|The days before|State|Previous|Next|Columns|Compare|To see|Add item|Remove item|CSV|JSON|Print|With archived|Add a filter|Save .* as PNG|Redact$|Check now)/;

/** What the pages offer all the same: enabled controls, refused ones without the reason, and requests of those that are pressed. */
export async function offersOf(
  page: Page,
  paths: readonly string[],
  reason: string,
  faultsOf: () => Promise<string[]> = async () => [],
): Promise<string[]> {
  const offers: string[] = [];
  page.on("request", (request) => {
    const isRead = request.method() === "GET" || request.url().endsWith("/v0/reporting/query");
    if (!isRead) offers.push(`${request.method()} ${request.url()}`);
  });
  for (const path of paths) {
    await show(page, path);
    for (const { name, refusal } of await page.evaluate<Control[]>(controls)) {
      const isRight = refusal === null ? reading.test(name) : refusal.startsWith(reason);
      if (!isRight) offers.push(`${path}: ${name}, ${refusal}`);
    }
    offers.push(...(await faultsOf()).map((fault) => `${path}: ${fault}`));
    for (const key of "rpf") await page.keyboard.press(key);
    await page.evaluate(`document.querySelectorAll("main [aria-disabled=true]").forEach((one) => one.click())`);
    if ((await page.getByRole("dialog").count()) > 0) offers.push(`${path}: a dialog`);
  }
  return offers;
}

interface Control {
  readonly name: string;
  /** Null where it is enabled. */
  readonly refusal: string | null;
}

/** Buttons and switches, but those that filter, sort, choose a view, or belong to a form that is not sent yet. */
const controls = `
  [...document.querySelectorAll("main :is(button, [role=button], input[type=checkbox], [aria-disabled=true])")]
    .filter((one) => one.checkVisibility() && !one.matches(":disabled, [aria-hidden=true]"))
    .filter((one) => !one.matches(":is([role=search], th, [role=tablist]) *, form :not([type=submit])"))
    .map((one) => {
      const reason = document.getElementById(one.getAttribute("aria-describedby") ?? "");
      const name = one.getAttribute("aria-label") ?? (one.textContent || one.labels?.[0]?.textContent) ?? "";
      return { name, refusal: one.getAttribute("aria-disabled") === "true" ? (reason?.textContent ?? "") : null };
    })`;

/** Goes to the page as a link does, without loading all of the console again. */
export async function show(page: Page, path: string) {
  const notFound = page.getByRole("heading", { level: 1, name: "Not found" });
  await page.evaluate(`history.pushState(null, "", "/nowhere")`);
  await notFound.waitFor();
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await notFound.waitFor({ state: "detached" });
  await whenLoaded(page);
}
