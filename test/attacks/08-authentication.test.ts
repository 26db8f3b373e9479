// Clients that fail to authenticate, from a shared address: their failures wait, other clients do not.

import { setTimeout as delay } from "node:timers/promises";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { secureRandom } from "@ems/kit/id";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { startProduct } from "../harness/product.ts";

// Behind one proxy: in X-Forwarded-For, a client's own entries precede the proxy's.
const product = await startAttacked("one", { TRUST_PROXY: "1", AUTH_FAILURE_DELAY_MAX_MS: "2000" });
const quiet = await product.tenant();

/** A well-formed key that identity never issued. */
const madeUpKey = () => formKey(secureRandom(keyBytes));

/** Sends one request with a key; returns its status and duration. */
async function timedRequest(apiKey: string, applicationId: string, forwardedFor: string) {
  const startMs = performance.now();
  const response = await fetch(`${product.facts.baseUrl}/v0/topics`, {
    headers: { "x-api-key": apiKey, "x-application-id": applicationId, "x-forwarded-for": forwardedFor },
  });
  await response.arrayBuffer();
  return { status: response.status, tookMs: performance.now() - startMs };
}

const failAs = (forwardedFor: string, apiKey = madeUpKey()) => timedRequest(apiKey, quiet.applicationId, forwardedFor);

/** Sends requests with invalid keys, at `perSecond` for `seconds`, regardless of the answers. */
async function flood(forwardedFor: string, perSecond: number, seconds: number) {
  const answers: Promise<{ status: number; tookMs: number }>[] = [];
  for (let i = 0; i < perSecond * seconds; i++) {
    answers.push(failAs(forwardedFor));
    await delay(1_000 / perSecond);
  }
  return Promise.all(answers);
}

test("30 bad keys a second from an address: a good key from there, never seen before, is served within a second", async () => {
  const tenants = [await product.tenant(), await product.tenant(), await product.tenant(), await product.tenant()];
  const flooding = flood("203.0.113.1", 30, 4);
  for (const { apiKey, applicationId } of tenants) {
    await delay(900);
    const { status, tookMs } = await timedRequest(apiKey, applicationId, "203.0.113.1");
    expect(status).toBe(200);
    expect(tookMs).toBeLessThan(1_000);
  }
  const failed = await flooding;
  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([401]));
  // Failing clients are slowed down more and more.
  expect(failed[0]?.tookMs).toBeLessThan(1_000);
  expect(failed.at(-1)?.tookMs).toBeGreaterThan(1_900);
});

test("600 bad keys at once from an address hold up neither a good key from there nor anybody else", async () => {
  const [here, elsewhere] = [await product.tenant(), await product.tenant()];
  const flooding = Promise.all(Array.from({ length: 600 }, () => failAs("203.0.113.2")));
  await delay(200);
  const [first, second] = await Promise.all([
    timedRequest(here.apiKey, here.applicationId, "203.0.113.2"),
    timedRequest(elsewhere.apiKey, elsewhere.applicationId, "203.0.113.3"),
  ]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(Math.max(first.tookMs, second.tookMs)).toBeLessThan(5_000);
  const statuses = (await flooding).map(({ status }) => status);
  // Failures beyond the number that may wait are refused at once.
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
});

test("a forged X-Forwarded-For passes no limit by, and slows no victim down", async () => {
  const victim = "203.0.113.5";
  const forgeries = Array.from({ length: 60 }, (_, i) =>
    failAs(`${i % 2 === 0 ? victim : `198.51.100.${i}`}, 203.0.113.4`),
  );
  await Promise.all(forgeries);
  expect((await failAs("203.0.113.4", "mistyped")).tookMs).toBeGreaterThan(1_000);
  expect((await failAs(victim, "mistyped")).tookMs).toBeLessThan(1_000);
});

test("addresses of one IPv6 network are one client's", async () => {
  await Promise.all(Array.from({ length: 60 }, (_, i) => failAs(`2001:db8:7:7::${i.toString(16)}`)));
  expect((await failAs("2001:db8:7:7:ffff::1", "mistyped")).tookMs).toBeGreaterThan(1_000);
  expect((await failAs("2001:db8:7:8::1", "mistyped")).tookMs).toBeLessThan(1_000);
});

test("TRUST_PROXY=true, which believed what any client wrote, is refused with what to write instead", async () => {
  const starting = startProduct("one", { env: { TRUST_PROXY: "true" } });
  await expect(starting).rejects.toThrow(
    /TRUST_PROXY: must be a number of proxies, such as 1, or their addresses as CIDRs/,
  );
});
