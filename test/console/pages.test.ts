// Every page in light and dark, on a telephone and on a desk.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, watchedPage, whenLoaded } from "./open-console.ts";
import { samplePages } from "./sample-pages.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { browser, facts, session } = opened;
const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const pages = await samplePages(opened);
const paths = {
  ...pages,
  "links without definitions": "/definitions/links?name=none",
  "deliveries without any": "/deliveries?status=CANCELLED",
  "people without any": "/settings/people?search=none%20of%20them",
  "topics without any": "/topics?title=none%20of%20them",
  "a topic that is not there": "/topics/01890a5d-ac96-774b-bcce-b302099a8057",
  "no page": "/nowhere",
};
const views = (["light", "dark"] as const).flatMap((colorScheme) =>
  [380, 1440].map((width) => ({ colorScheme, width })),
);

describe.each(views)("$colorScheme, $width px", ({ colorScheme, width }) => {
  let context: BrowserContext;
  beforeAll(async () => {
    // axe is no script of the page's origin.
    context = await browser.newContext({
      ...{ colorScheme, viewport: { width, height: 900 }, bypassCSP: true, reducedMotion: "reduce" },
      ...(session !== undefined && { storageState: session }),
    });
  });
  afterAll(() => context.close());

  test.each(Object.entries(paths))(
    "%s breaks no rule of accessibility, does not overflow or complain",
    async (_name, path) => {
      const { page, complaints } = await watchedPage(context, facts);
      await page.goto(`${facts.baseUrl}${path}`);
      await whenLoaded(page);
      const details = page.getByRole("button", { name: /^Details of / }).first();
      if ((await details.count()) > 0) await details.click();
      await whenLoaded(page);
      await page.evaluate(axe);
      const { violations } = (await page.evaluate(
        "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
      )) as AxeResults;
      const broken = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
      const isWide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
      await page.close();
      expect([...broken, ...complaints, ...(isWide ? ["scrolls sideways"] : [])]).toEqual([]);
    },
  );
});
