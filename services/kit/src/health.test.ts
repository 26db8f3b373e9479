import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Health, pollReadiness } from "./health.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("a check that never responds makes the process not ready after three seconds", async () => {
  const reason = new Health(() => new Promise(() => undefined)).notReadyReason();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(String(await reason)).toContain("no answer");
});

test("readiness is reported at once and every second until it is stopped", async () => {
  const reported: boolean[] = [];
  let check = async () => undefined as undefined;
  const stop = await pollReadiness(new Health(() => check()), (isReady) => void reported.push(isReady));
  expect(reported).toEqual([true]);
  check = () => Promise.reject(new Error("no database"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reported).toEqual([true, false]);

  // A check that is in progress may still succeed after the process has reported that it stops.
  const checked = Promise.withResolvers<undefined>();
  check = () => checked.promise;
  await vi.advanceTimersByTimeAsync(1_000);
  stop();
  checked.resolve(undefined);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reported).toEqual([true, false]);
});

test("a process with a wrong clock is not ready, until a check finds the clock right", async () => {
  const clock = { now: () => new Date(), skewMs: -3_600_000 };
  const check = async () => undefined;
  expect(String(await new Health(check, {}, clock).notReadyReason())).toContain(
    "clock_skew: the clock of this process is 3600 s behind that of PostgreSQL",
  );
  const correcting = async () => {
    clock.skewMs = 0;
  };
  expect(await new Health(correcting, {}, clock).notReadyReason()).toBeUndefined();
});
