import { newId } from "@ems/kit/id";
import { testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";

/** Length of the "minute" of limits in this test. */
const windowMs = 4_000;
const harness = await jobsHarness({ MODEL_WINDOW_MS: String(windowMs), JOBS_CONCURRENCY: "64" });
const { add, connection, ended, limits, start } = harness;

const call = (connectionId: string, tokens = 10) => ({
  id: newId(),
  connectionId,
  tokens,
  costMicro: 0,
  timeoutMs: 60_000,
});

test("two processes share one limit: three workers together never exceed a connection's 60 requests per minute", async () => {
  const startedMs: number[] = [];
  const shared = connection(async () => void startedMs.push(performance.now()), { limits: { requestsPerMinute: 60 } });
  for (const tenant of [testTenant(), testTenant()]) await add(80, tenant);
  const workers = [start(shared), start(shared), start(shared)];
  const hasEnded = () => {
    harness.clock.advance(100);
    expect(ended().length).toBe(160);
  };
  await vi.waitFor(hasEnded, { timeout: 60_000, interval: 50 });
  await Promise.all(workers.map((worker) => worker.stop()));
  const most = startedMs.map((from) => startedMs.filter((at) => at >= from && at < from + windowMs).length);
  expect(Math.max(...most)).toBeLessThanOrEqual(60);
  expect(startedMs.length).toBe(160);
}, 90_000);

test("tokens and concurrent calls are limited, too, over all applications of a connection", async () => {
  const id = newId();
  expect(await limits.acquire(testTenant(), { tokensPerMinute: 25 }, call(id))).toBeUndefined();
  expect(await limits.acquire(testTenant(), { tokensPerMinute: 25 }, call(id))).toBeUndefined();
  expect(await limits.acquire(testTenant(), { tokensPerMinute: 25 }, call(id))).toMatchObject({
    waitMs: expect.any(Number),
  });
  expect(await limits.acquire(testTenant(), { concurrency: 2 }, call(id))).toMatchObject({ waitMs: 250 });
  expect(await limits.acquire(testTenant(), { concurrency: 3 }, call(id))).toBeUndefined();
});

test("a call that may use more than the token limit gets the window alone", async () => {
  const [id, other] = [newId(), newId()];
  expect(await limits.acquire(testTenant(), { tokensPerMinute: 25 }, call(id, 26))).toBeUndefined();
  expect(await limits.acquire(testTenant(), { tokensPerMinute: 25 }, call(id, 1))).toMatchObject({
    waitMs: expect.any(Number),
  });
  expect(await limits.acquire(testTenant(), { tokensPerMinute: 25 }, call(other, 1))).toBeUndefined();
  expect(await limits.acquire(testTenant(), { tokensPerMinute: 25 }, call(other, 26))).toMatchObject({
    waitMs: expect.any(Number),
  });
});

test("a call that did not begin counts nowhere", async () => {
  const [id, tenant] = [newId(), testTenant()];
  const first = call(id);
  await limits.acquire(tenant, { requestsPerMinute: 1 }, first);
  await limits.release(tenant, first.id);
  expect(await limits.acquire(tenant, { requestsPerMinute: 1 }, call(id))).toBeUndefined();
});
