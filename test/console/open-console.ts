// Starts a product with sample data and a browser that is signed in to its console.

import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
import { startChromium } from "../browser/chromium.ts";
import { copyDataDir, fillDataDir, madeOnce } from "../harness/data-dir.ts";
import { type ProductFacts, startProduct } from "../harness/product.ts";

export interface OpenedConsole {
  readonly facts: ProductFacts;
  readonly browser: Browser;
  /** Cookies of a signed-in session. */
  readonly session: BrowserContextOptions["storageState"];
  /** Calls the public API with the key from `npm start`. */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, "../..");

/** Starts the product and signs in with the link that `npm start` prints. */
export async function openConsole(
  settings: Readonly<Record<string, string>> = {},
  browserOptions: Parameters<typeof startChromium>[0] = {},
): Promise<OpenedConsole> {
  const { dataDir: from, apiKey } = await filled();
  const dataDir = await copyDataDir(from, "ems-test-console-");
  const product = await startProduct("one", { dataDir, env: { CONSOLE: "on", ...settings } });
  const facts = { ...product.facts, apiKey };
  const { browser, close } = await startChromium(browserOptions);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(facts.consoleUrl ?? "");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const session = await context.storageState();
  await context.close();
  return {
    facts,
    browser,
    session,
    call: (method, path, body) => call(facts, method, path, body),
    close: async () => {
      await close();
      await product.remove();
    },
  };
}

interface Filled {
  readonly dataDir: string;
  /** API key, which the product prints only at the first start. */
  readonly apiKey: string;
}

/** Creates the sample data once per test run. Each product gets a copy. */
async function filled(): Promise<Filled> {
  const folder = await madeOnce("sample", async (begun) => {
    const dataDir = join(begun, "data");
    await mkdir(dataDir);
    await fillDataDir(dataDir);
    const { facts, stop } = await startProduct("one", { dataDir });
    const env = { ...process.env, DATA_DIR: dataDir };
    await promisify(execFile)(process.execPath, ["deploy/dev/seed.ts", "--size", "small"], { cwd: root, env });
    await stop();
    await writeFile(join(begun, "api-key"), facts.apiKey ?? "");
  });
  return { dataDir: join(folder, "data"), apiKey: await readFile(join(folder, "api-key"), "utf8") };
}

async function call(
  { baseUrl, apiKey = "", applicationId }: ProductFacts,
  method: string,
  path: string,
  body?: unknown,
) {
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
}

/** Timeout of actions on pages, which on a busy machine may need longer than Playwright's default of 30 s. */
const pageMs = 90_000;

export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings in the browser's console, script errors, and forbidden requests, such as to other origins. */
  readonly complaints: string[];
}

/** Updates that may lack `If-Match`: of many resources, of a single flag, and of a schedule that does not exist yet. */
const unversioned = [
  /^PATCH \/v0\/(issues|topics)$/,
  /^PUT \/v0\/quickstarts\/[^/]+\/(assignments\/bulk|contradictions\/[^/]+)$/,
  /^PUT \/v0\/tasks\/[^/]+\/schedule$/,
];

function lacksVersion(request: Request): boolean {
  const change = `${request.method()} ${new URL(request.url()).pathname.replace(/^\/console\/api/, "")}`;
  const isChange = /^(PUT|PATCH) \/v0\//.test(change) && request.headers()["if-match"] === undefined;
  return isChange && !unversioned.some((pattern) => pattern.test(change));
}

/** Opens a page and records complaints. Responses with status 4xx are expected and not recorded. */
export async function watchedPage(context: BrowserContext, { baseUrl }: ProductFacts): Promise<WatchedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(pageMs);
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isRefusal = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (lacksVersion(request)) complaints.push(`no If-Match: ${request.method()} ${request.url()}`);
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && origin !== baseUrl) complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints };
}

/** Waits until the page has loaded its data. */
export async function whenLoaded(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  // Poll from outside the page, because the page's security policy forbids scripts that wait.
  await page.locator("[aria-busy=true], .mantine-Skeleton-root").first().waitFor({ state: "detached" });
}
