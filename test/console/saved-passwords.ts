// Simulates Chromium's password manager with a saved sign-in. It would fill each visible password field that is not for
// a new password, and fill the user name into the text field before it.

import type { Page } from "playwright-core";

/** Labels of the fields that the password manager would fill. */
export interface Filled {
  readonly passwords: readonly string[];
  readonly userNames: readonly string[];
}

// Script that finds these fields. Like Chromium, it ignores autocomplete="off" on password fields.
const filled = `(() => {
  const root = document.querySelector("[role=dialog]") ?? document;
  const inputs = [...root.querySelectorAll("input")].filter((input) => input.checkVisibility() && !input.disabled);
  const name = (input) => input.labels?.[0]?.textContent ?? input.getAttribute("aria-label") ?? "";
  const isFilled = ({ type, autocomplete }) =>
    type === "password" && autocomplete !== "new-password" && autocomplete !== "one-time-code";
  const passwords = inputs.filter(isFilled);
  const userNames = passwords.flatMap((password) =>
    inputs
      .slice(0, inputs.indexOf(password))
      .filter(({ type }) => ["text", "email", "tel", "url"].includes(type))
      .slice(-1),
  );
  return { passwords: passwords.map(name), userNames: userNames.map(name) };
})()`;

/** Returns the fields that would be filled with the saved sign-in, in the open dialog, else in the page. */
export function filledFields(page: Page): Promise<Filled> {
  return page.evaluate<Filled>(filled);
}

/** Returns the markup of the dialog's password fields that lack the attributes by which extensions ignore a field. */
export async function managedFields(page: Page): Promise<readonly string[]> {
  const marked = "[data-1p-ignore][data-lpignore=true][data-bwignore][data-form-type=other]";
  const fields = `[...document.querySelectorAll("[role=dialog] input[type=password]")]`;
  return page.evaluate<string[]>(
    `${fields}.filter((field) => !field.matches("${marked}")).map((field) => field.outerHTML)`,
  );
}
