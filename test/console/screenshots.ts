// Saves screenshots of every page, light and dark, to `gateway/console/screenshots`. Git tracks only the four that
// README.md shows. Arguments select pages by name.

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Route } from "playwright-core";
import { openConsole, watchedPage, whenLoaded } from "./open-console.ts";
import { samplePages } from "./sample-pages.ts";

const folder = join(import.meta.dirname, "../../gateway/console/screenshots");
const viewport = { width: 1280, height: 960 };

const { browser, facts, session, call, close } = await openConsole({}, { hasMonospace: true });
const named = process.argv.slice(2);
const withProvider = "sign-in-provider";
const all = [...Object.entries(await samplePages({ call })), [withProvider, "/sign-in"] as const];
const pages = named.length === 0 ? all : all.filter(([name]) => named.includes(name));
await mkdir(folder, { recursive: true });
// Delete screenshots of pages that no longer exist.
const isKept = (file: string) => all.some(([name]) => file.startsWith(`${name}-`)) || !file.endsWith(".png");
for (const file of await readdir(folder)) if (!isKept(file)) await rm(join(folder, file));
for (const colorScheme of ["light", "dark"] as const) {
  const context = await browser.newContext({
    colorScheme,
    viewport,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    ...(session !== undefined && { storageState: session }),
  });
  for (const [name, path] of pages) {
    const { page, complaints } = await watchedPage(context, facts);
    if (name === withProvider) await page.route("**/console/api/session", offerProvider);
    await page.goto(`${facts.baseUrl}${path}`);
    await whenLoaded(page);
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), animations: "disabled" });
    for (const complaint of complaints) console.error(`${name}, ${colorScheme}: ${complaint}`);
    await page.close();
  }
  await context.close();
}
await close();
console.log(`${pages.length} pages, light and dark, in ${folder}`);

/** Simulates a sign-in provider, so that no second product with a real provider is needed. */
async function offerProvider(route: Route): Promise<void> {
  const response = await route.fetch();
  const provider = { name: "Acme", url: "/console/api/open-id" };
  await route.fulfill({ response, json: { ...((await response.json()) as object), provider } });
}
