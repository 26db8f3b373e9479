// `npm start` with a clock an hour ahead and an hour behind, for ten seconds and permanently: it refuses work meanwhile, answers within
// five seconds after the clock is right, and has every acknowledged write.

import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakedClock, type FakedClocks, fakedClocks } from "../harness/faked-clock.ts";
import { type Product, startProduct } from "../harness/product.ts";
import { unlimited } from "../harness/unlimited.ts";
import { startLoad } from "./load.ts";

const hourS = 3_600;
const recoveryMs = 5_000;

let clocks: FakedClocks;
let clock: FakedClock;
let product: Product;
beforeAll(async () => {
  clocks = await fakedClocks();
  clock = await clocks.add("one");
  // Its PostgreSQL has a separate environment, and so the machine's clock.
  product = await startProduct("one", { env: { ...unlimited, ...clock.env } });
}, 300_000);
afterAll(async () => {
  await product?.remove();
  await clocks?.remove();
});

const get = (path: string) => {
  const { baseUrl, apiKey = "", applicationId } = product.facts;
  return fetch(`${baseUrl}${path}`, { headers: { "x-api-key": apiKey, "x-application-id": applicationId } });
};

async function readiness(): Promise<string> {
  const answer = await fetch(`${product.facts.adminUrl}/readyz`, { signal: AbortSignal.timeout(5_000) });
  const { reason = "ready" } = (await answer.json()) as { reason?: string };
  return `${answer.status} ${reason}`;
}

test.each([
  { seconds: hourS, wrongMs: 10_000 },
  { seconds: -hourS, wrongMs: 10_000 },
  { seconds: hourS, wrongMs: 40_000 },
])(
  "a clock that is off by $seconds s for $wrongMs ms",
  { timeout: 240_000, retry: 0 },
  async ({ seconds, wrongMs }) => {
    const { baseUrl, apiKey = "", applicationId } = product.facts;
    const load = startLoad({ baseUrl, apiKey, applicationId }, 2);
    await expect.poll(() => load.acknowledged.size).toBeGreaterThan(20);
    await clock.set(seconds);
    const startMs = performance.now();
    await expect.poll(readiness, { timeout: recoveryMs }).toMatch(/^503 clock_skew: /);
    const refused = await get("/v0/topics");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    const acknowledged = load.acknowledged.size;
    await delay(wrongMs - (performance.now() - startMs));
    expect(load.acknowledged.size).toBe(acknowledged);

    await clock.set(0);
    const correctedMs = performance.now();
    const isWell = async () => (await get("/v0/topics")).status === 200 && (await readiness()) === "200 ready";
    await expect.poll(isWell, { timeout: 4 * recoveryMs, interval: 50 }).toBe(true);
    const tookMs = performance.now() - correctedMs;
    console.info(`one process ${seconds} s off for ${wrongMs} ms: answered ${Math.round(tookMs)} ms after`);
    expect(tookMs).toBeLessThan(recoveryMs);
    await expect.poll(() => load.acknowledged.size).toBeGreaterThan(acknowledged + 20);
    await load.stop();
    const ids = await Promise.all([...load.acknowledged].map(async (id) => (await get(`/v0/topics/${id}`)).status));
    expect(ids.filter((status) => status !== 200)).toEqual([]);
  },
);
