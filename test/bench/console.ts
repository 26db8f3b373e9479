// Waiting times in the console: the overview, cold and warm, and a trace of 10,000 steps.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { newId } from "@ems/kit/id";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { startChromium } from "../browser/chromium.ts";
import type { Ground } from "./ground.ts";
import type { Measurement } from "./page.ts";
import { inTurn, type Part, type Round } from "./part.ts";
import { type ProductSide, startProductSide } from "./sides.ts";
import { median } from "./statistics.ts";

const slowdown = 4;
const stepCount = 10_000;
const scrollMs = 3_000;

export const browserConsole: Part = {
  title: "Console",
  note: `Chromium with its CPU slowed down ${slowdown}-fold, one process with the small seed, times since the navigation began. Cold is an
empty HTTP cache, warm the same browser's next page. Usable is every number and list, complete its charts, too. A trace of
${stepCount} steps: until its first rows are drawn, and the longest time between two frames while it scrolls for ${scrollMs / 1_000} s.`,
  measure: (bench) => inTurn(bench, bench.options.rounds ?? 5, (ground, stack) => openRounds(ground, stack)),
};

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

interface Opened {
  readonly side: ProductSide;
  readonly browser: Browser;
  readonly session: Session;
  readonly traceId: string;
}

async function openRounds(ground: Ground, stack: AsyncDisposableStack): Promise<Round> {
  const side = await startProductSide("one", ground, stack, { CONSOLE: "on" });
  const { browser, close } = await startChromium();
  stack.defer(close);
  const session = await signIn(browser, side.product.facts.consoleUrl);
  const env = { ...process.env, DATA_DIR: ground.dataDir, DATABASE_URL: side.adminUrl, NATS_URL: ground.natsUrl };
  const args = ["deploy/dev/seed.ts", "--size", "small"];
  await promisify(execFile)(process.execPath, args, { cwd: ground.root, env });
  const opened = { side, browser, session, traceId: await largeTrace(side) };
  return async () => [...(await overview(opened)), ...(await trace(opened))];
}

async function signIn(browser: Browser, url: string | undefined): Promise<Session> {
  if (url === undefined) throw new Error("the product printed no link to its console");
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}

async function largeTrace({ baseUrl, headers }: ProductSide): Promise<string> {
  const traceId = newId();
  const steps = Array.from({ length: stepCount }, (_, at) => ({
    type: at % 2 === 0 ? "llm" : "tool",
    name: `step ${at}`,
    input: `Which fee has transfer ${at}?`,
    output: { text: "None in the euro area." },
    durationMs: 20,
  }));
  const body = JSON.stringify({ events: [{ type: "trace", traceId, steps }] });
  const answer = await fetch(`${baseUrl}/v0/ingest`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`the trace was refused: ${answer.status} ${await answer.text()}`);
  const stored = await fetch(`${baseUrl}/v0/traces/${traceId}`, { headers });
  const { data } = (await stored.json()) as { data: { stepCount: number } };
  if (data.stepCount !== stepCount) throw new Error(`the trace has ${data.stepCount} steps, not ${stepCount}`);
  return traceId;
}

async function overview({ side, browser, session }: Opened): Promise<Measurement[]> {
  const context = await browser.newContext({ storageState: session, viewport: { width: 1440, height: 900 } });
  await context.addInitScript({ content: noteTimes });
  const cold = await timesOfOverview(context, side);
  const warm = await timesOfOverview(context, side);
  await context.close();
  return [
    { what: "overview, cold: usable", unit: "ms", value: cold.usable, aim: "< 2,500" },
    { what: "overview, cold: complete", unit: "ms", value: cold.complete },
    { what: "overview, warm: usable", unit: "ms", value: warm.usable, aim: "< 1,000" },
    { what: "overview, warm: complete", unit: "ms", value: warm.complete },
  ];
}

async function timesOfOverview(context: BrowserContext, { baseUrl }: ProductSide) {
  const { page, cdp } = await slowPage(context);
  await page.goto(`${baseUrl}/`);
  await page.locator("canvas").nth(1).waitFor();
  await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
  const usable = await readTime(cdp, "usable");
  const complete = await readTime(cdp, "complete");
  await page.close();
  return { usable, complete };
}

async function trace({ side, browser, session, traceId }: Opened): Promise<Measurement[]> {
  const context = await browser.newContext({ storageState: session, viewport: { width: 1440, height: 900 } });
  await context.addInitScript({ content: noteTimes });
  const { page, cdp } = await slowPage(context);
  await page.goto(`${side.baseUrl}/traces/${traceId}`);
  await page.getByRole("option").first().waitFor();
  const rows = await readTime(cdp, "rows");
  const loading = await framesOfScroll(cdp);
  await page.getByText(`of ${stepCount.toLocaleString("en")} steps…`).waitFor({ state: "detached", timeout: 120_000 });
  const complete = await readTime(cdp, "allRows");
  const loaded = await framesOfScroll(cdp);
  await context.close();
  return [
    { what: "trace: first rows", unit: "ms", value: rows, aim: "< 1,500" },
    { what: "trace: all steps there", unit: "ms", value: complete },
    { what: "trace: longest frame while it scrolls", unit: "ms", value: Math.max(...loaded), aim: "< 100" },
    { what: "trace: median frame", unit: "ms", value: median(loaded) },
    { what: "trace: longest frame, steps still loading", unit: "ms", value: Math.max(...loading), aim: "< 100" },
  ];
}

async function slowPage(context: BrowserContext): Promise<{ page: Page; cdp: CDPSession }> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return { page, cdp };
}

async function readTime(cdp: CDPSession, name: string): Promise<number> {
  const ms = await evaluate(cdp, `benchTimes.${name}`);
  if (typeof ms !== "number") throw new Error(`the page was never seen as "${name}"`);
  return ms;
}

/** Returns the milliseconds between frames while the steps scroll up and down. */
async function framesOfScroll(cdp: CDPSession): Promise<number[]> {
  const frames = (await evaluate(cdp, scroll)) as { ms: readonly number[]; moved: number };
  if (frames.moved < 1_000) throw new Error("the steps did not scroll");
  return [...frames.ms];
}

/** Uses the DevTools protocol, since the page's policy forbids playwright's evaluation. */
async function evaluate(cdp: CDPSession, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await cdp.send("Runtime.evaluate", {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

/** Records for each state the first frame since which it has held without interruption. */
const noteTimes = `
  globalThis.benchTimes = {};
  const all = (selector) => [...document.querySelectorAll(selector)];
  const states = {
    usable: () => isOverview() && all(".mantine-Skeleton-root").every((one) => one.parentElement.querySelector("[role=img]")),
    complete: () => isOverview() && all(".mantine-Skeleton-root").length === 0 && all("canvas").length >= 2,
    rows: () => all("[role=option]").length > 0,
    allRows: () => all('[role=option][aria-setsize="${stepCount}"]').length > 0,
  };
  const isOverview = () => document.querySelector("h1")?.textContent === "Overview" && all("table").length >= 2;
  const look = (now) => {
    for (const [name, isTrue] of Object.entries(states)) {
      if (!isTrue()) delete benchTimes[name];
      else benchTimes[name] ??= now;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

const scroll = `new Promise((resolve) => {
  const list = document.querySelector("[role=listbox]");
  const ms = [];
  let moved = 0, down = 1, before, began;
  const frame = (now) => {
    began ??= now;
    if (before !== undefined) ms.push(now - before);
    before = now;
    if (now - began > ${scrollMs}) return resolve({ ms, moved });
    const top = list.scrollTop;
    list.scrollTop += 240 * down;
    if (list.scrollTop === top) down = -down;
    moved += Math.abs(list.scrollTop - top);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;
