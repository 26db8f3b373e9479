// Runs axe-core in a page. The browser context needs `bypassCSP`, because axe is not from the page's origin.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

export const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Tags of the axe rules to check: WCAG 2.2 AA and best practices. */
export const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Returns each violated rule with the violating element. The page must have loaded `axe`. */
export async function brokenRules(page: Page, looksAt: readonly string[] = rules): Promise<string[]> {
  const options = { runOnly: looksAt, resultTypes: ["violations"] };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
