// A password manager with a saved sign-in, by the rules that Chromium's follows: it fills each visible field of a password that
// does not ask for a new one, and the text field before it with the user's name.

import type { Page } from "playwright-core";

/** What it would fill: labels of fields. */
export interface Filled {
  readonly passwords: readonly string[];
  readonly userNames: readonly string[];
}

// Chromium ignores autocomplete="off" of fields of passwords.
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

/** The fields of the page's dialog, or of the page, that would get the saved sign-in. */
export function filledFields(page: Page): Promise<Filled> {
  return page.evaluate<Filled>(filled);
}

/** Fields of passwords in the dialog, as markup, without the marks that make extensions leave them alone. */
export async function managedFields(page: Page): Promise<readonly string[]> {
  const marked = "[data-1p-ignore][data-lpignore=true][data-bwignore][data-form-type=other]";
  const fields = `[...document.querySelectorAll("[role=dialog] input[type=password]")]`;
  return page.evaluate<string[]>(
    `${fields}.filter((field) => !field.matches("${marked}")).map((field) => field.outerHTML)`,
  );
}
