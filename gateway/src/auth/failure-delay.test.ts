import { Code } from "@ems/kit/errors";
import { stopClock } from "@ems/test-support";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FailureDelay } from "./failure-delay.ts";

// Failures are counted by the monotonic clock, which these tests stop.
beforeEach(() => stopClock());
afterEach(() => void vi.useRealTimers());

const settings = { AUTH_FAILURES_PER_MINUTE: 600, AUTH_FAILURE_DELAY_MAX_MS: 250, AUTH_FAILURES_DELAYED_MAX: 4 };

async function failed(failures: FailureDelay, count: number, network = "a") {
  for (let i = 0; i < count; i++) await failures.delay(network);
}

/** Measures the wall-clock duration of `work`, from a new event-loop turn: timers count from the turn's start. */
async function measureMs(work: () => Promise<void>): Promise<number> {
  await new Promise(setImmediate);
  const start = Date.now();
  await work();
  return Date.now() - start;
}

/** True if `work` ends before any timer could. */
const isAtOnce = (work: Promise<void>) =>
  Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);

test("failures over the rate are delayed, progressively up to the maximum", async () => {
  const failures = new FailureDelay(settings);
  await failed(failures, 600);
  const waits: number[] = [];
  for (let i = 0; i < 3; i++) waits.push(await measureMs(() => failures.delay("a")));
  expect(waits[0]).toBeGreaterThanOrEqual(99);
  expect(waits[1]).toBeGreaterThanOrEqual(199);
  expect(waits[2]).toBeGreaterThanOrEqual(249);
  expect(await isAtOnce(failures.delay("b"))).toBe(true);
  vi.advanceTimersByTime(61_000);
  expect(await isAtOnce(failures.delay("a"))).toBe(true);
});

test("no delay exceeds the maximum, however many failures precede it", async () => {
  // Without a maximum, each failure after the second would wait for 30 seconds.
  const failures = new FailureDelay({ ...settings, AUTH_FAILURES_PER_MINUTE: 2, AUTH_FAILURE_DELAY_MAX_MS: 20 });
  for (let i = 0; i < 5; i++) expect(await measureMs(() => failures.delay("a"))).toBeLessThan(10_000);
});

test("the delay ends when the client disconnects", async () => {
  const failures = new FailureDelay({ ...settings, AUTH_FAILURE_DELAY_MAX_MS: 3_600_000 });
  await failed(failures, 600);
  const client = new AbortController();
  const answered = failures.delay("a", client.signal);
  client.abort();
  await answered;
});

test("one address holds at most half of the delayed responses; further failures are 429 at once", async () => {
  const failures = new FailureDelay(settings);
  for (const network of ["a", "b"]) await failed(failures, 600, network);
  const delayed = [failures.delay("a"), failures.delay("a")];
  await expect(failures.delay("a")).rejects.toMatchObject({ code: Code.ResourceExhausted });
  delayed.push(failures.delay("b"));
  await Promise.all(delayed);
});
