// Finds controls and requests that pages allow although the session lacks the required role or scope.

import type { Page } from "playwright-core";
import { whenLoaded } from "./open-console.ts";

/** Names of controls that need no permission, because they change only the view or the input. */
const reading =
  /^(Request|Retry|Copy|Details of |Select |Days|State|Previous|Next|Columns|Compare|Detect|Add item|Remove item|CSV|JSON|Print|Include archived|Add filter|Save .* as PNG|Redact$|Check now|Try$)/;

/** Returns violations: enabled controls, disabled controls without a reason, and requests that these still send. */
export async function findOffers(
  page: Page,
  paths: readonly string[],
  reason: string,
  findFaults: () => Promise<string[]> = async () => [],
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
    offers.push(...(await findFaults()).map((fault) => `${path}: ${fault}`));
    for (const key of "rpf") await page.keyboard.press(key);
    await page.evaluate(`document.querySelectorAll("main [aria-disabled=true]").forEach((control) => control.click())`);
    if ((await page.getByRole("dialog").count()) > 0) offers.push(`${path}: a dialog`);
  }
  return offers;
}

interface Control {
  readonly name: string;
  /** Reason why the control is disabled. Null if it is enabled. */
  readonly refusal: string | null;
}

/** Script that lists buttons and switches, except those that filter, sort, choose a view, or edit an unsent form. */
const controls = `
  [...document.querySelectorAll("main :is(button, [role=button], input[type=checkbox], [aria-disabled=true])")]
    .filter((control) => control.checkVisibility() && !control.matches(":disabled, [aria-hidden=true]"))
    .filter((control) => !control.matches(":is([role=search], th, [role=tablist]) *, form :not([type=submit])"))
    .map((control) => {
      const reason = document.getElementById(control.getAttribute("aria-describedby") ?? "");
      const name = control.getAttribute("aria-label") ?? (control.textContent || control.labels?.[0]?.textContent) ?? "";
      return { name, refusal: control.getAttribute("aria-disabled") === "true" ? (reason?.textContent ?? "") : null };
    })`;

/** Navigates like a link, without reloading the console. */
export async function show(page: Page, path: string) {
  const notFound = page.getByRole("heading", { level: 1, name: "Page not found" });
  await page.evaluate(`history.pushState(null, "", "/nowhere")`);
  await notFound.waitFor();
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await notFound.waitFor({ state: "detached" });
  await whenLoaded(page);
}
