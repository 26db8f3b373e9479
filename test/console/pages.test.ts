// Every page in light and dark, on a telephone and on a desk.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import { afterAll, expect, test } from "vitest";
import { openConsole, watchedPage, whenLoaded } from "./open-console.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { browser, facts, session, call } = opened;
const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The id of the first row of a list. */
async function first(path: string): Promise<string> {
  const { data } = await call("GET", path);
  return (data as { id: string }[])[0]?.id ?? "";
}

/** The id of what a creation makes. */
async function made(path: string, body: unknown): Promise<string> {
  const { data } = await call("POST", path, body);
  return (data as { id: string }).id;
}

/** With two versions. */
async function madeDocument(): Promise<string> {
  const body = { title: "Fees", content: "An account costs nothing." };
  const { document } = (await call("POST", "/v0/documents", body)) as { document: { id: string } };
  await call("POST", `/v0/documents/${document.id}/versions`, { content: "An account costs three euros." });
  return document.id;
}

const extract = { pattern: "\\d+ euros", flags: "g", group: 0 };
const match = {
  ...{ type: "OUTPUT_MATCH", name: "Names all prices" },
  globalConfig: { type: "list", matchMode: "contains", extract },
};
const connection = { name: "Judge", provider: "openai", model: "judge-1", apiKey: "of-no-provider" };
// Nobody listens there: its deliveries fail.
await call("POST", "/v0/webhook", { url: "http://127.0.0.1:65535" });
await call("POST", "/v0/webhook/test");
const ids = {
  topic: await first("/v0/topics"),
  task: await first("/v0/tasks"),
  run: await first("/v0/runs"),
  test: await first("/v0/tests?status=COMPLETED"),
  trace: await first("/v0/traces"),
  definition: await first("/v0/definitions"),
  match: await made("/v0/definitions", match),
  styleGuide: await made("/v0/style-guides", {
    content: [{ heading: "Tone", content: "Be *brief*.", approved: true }],
  }),
  experiment: await made("/v0/experiments", { title: "A shorter prompt", taskIds: [await first("/v0/tasks")] }),
  connection: await made("/v0/model-connections", connection),
  document: await madeDocument(),
  quickstart: await first("/v0/quickstarts"),
  delivery: await first("/v0/webhook/deliveries"),
};
const paths = [
  ...["/", "/topics", `/topics/${ids.topic}`, "/tasks", `/tasks/${ids.task}`, "/runs", `/runs/${ids.run}`],
  ...["/tests", `/tests/${ids.test}`, "/traces", `/traces/${ids.trace}`],
  ...["/definitions", `/definitions/${ids.definition}`, `/definitions/${ids.match}`, "/definitions/new"],
  ...[`/definitions/${ids.match}/edit`, "/definitions/links", "/definitions/links?name=none"],
  ...["/style-guides", `/style-guides/${ids.styleGuide}`, `/style-guides/${ids.styleGuide}/edit`],
  ...["/experiments", `/experiments/${ids.experiment}`],
  ...["/webhook", "/deliveries", `/deliveries/${ids.delivery}`, "/deliveries?status=CANCELLED"],
  ...["/settings/keys", "/settings/models", `/settings/models/${ids.connection}`, "/settings/evaluation"],
  ...["/settings/people", "/settings/people?search=none%20of%20them"],
  ...["/documents", `/documents/${ids.document}`, `/documents/${ids.document}?version=2&before=1`],
  ...["/reports", "/reports?source=test&group=string:topicId&group=string:status&measure=count&timezone=UTC"],
  ...["/reports?source=test&group=string:topicId&measure=count&chart=pie&timezone=UTC"],
  ...["/quickstarts", `/quickstarts/${ids.quickstart}`, `/quickstarts/${ids.quickstart}/contradictions`],
  ...["/topics?title=none%20of%20them", "/topics/01890a5d-ac96-774b-bcce-b302099a8057", "/nowhere", "/sign-in"],
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
