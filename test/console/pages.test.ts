// Every page in light and dark, on a telephone and on a desk.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import { afterAll, expect, test } from "vitest";
import { openConsole, watchedPage, whenLoaded } from "./open-console.ts";
import { samplePages } from "./sample-pages.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { browser, facts, session } = opened;
const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const pages = await samplePages(opened);
const paths = [
  ...Object.values(pages),
  ...["/definitions/links?name=none", "/deliveries?status=CANCELLED", "/settings/people?search=none%20of%20them"],
  ...["/topics?title=none%20of%20them", "/topics/01890a5d-ac96-774b-bcce-b302099a8057", "/nowhere"],
];
const views = (["light", "dark"] as const).flatMap((colorScheme) =>
  [380, 1440].map((width) => ({ colorScheme, width })),
);

test.each(views)(
  "$colorScheme, $width px: nothing breaks a rule of accessibility, overflows or complains",
  async (view) => {
    const { colorScheme, width } = view;
    // axe is no script of the page's origin.
    const context = await browser.newContext({
      ...{ colorScheme, viewport: { width, height: 900 }, bypassCSP: true, reducedMotion: "reduce" },
      ...(session !== undefined && { storageState: session }),
    });
    const found: string[] = [];
    for (const path of paths) {
      const { page, complaints } = await watchedPage(context, facts);
      await page.goto(`${facts.baseUrl}${path}`);
      await whenLoaded(page);
      await page.evaluate(axe);
      const { violations } = (await page.evaluate(
        "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
      )) as AxeResults;
      const broken = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
      const isWide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
      found.push(
        ...[...broken, ...complaints, ...(isWide ? ["scrolls sideways"] : [])].map((what) => `${path}: ${what}`),
      );
      await page.close();
    }
    await context.close();
    expect(found).toEqual([]);
  },
);
