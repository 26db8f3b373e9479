// Simulates Chromium's password manager with a saved sign-in: it fills each visible password field that is not for a
// new password, and the text field before it with the user name.

import type { Page } from "playwright-core";

/** Labels of the fields that the manager would fill. */
export interface Filled {
  readonly passwords: readonly string[];
  readonly userNames: readonly string[];
}

// Chromium ignores autocomplete="off" on password fields.
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

/** Returns the fields of the dialog, or of the page, that would be filled with the saved sign-in. */
export function filledFields(page: Page): Promise<Filled> {
  return page.evaluate<Filled>(filled);
}

/** Returns the markup of password fields in the dialog that lack the attributes that extensions respect. */
export async function managedFields(page: Page): Promise<readonly string[]> {
  const marked = "[data-1p-ignore][data-lpignore=true][data-bwignore][data-form-type=other]";
  const fields = `[...document.querySelectorAll("[role=dialog] input[type=password]")]`;
  return page.evaluate<string[]>(
    `${fields}.filter((field) => !field.matches("${marked}")).map((field) => field.outerHTML)`,
  );
}
