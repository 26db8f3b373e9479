import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BackgroundLoop, type LoopOptions, type RunResult, runEvery, startLoop } from "./background.ts";
import { createLog } from "./log.ts";

const log = createLog("test", "silent");
let runs = 0;
let loop: BackgroundLoop;

beforeEach(() => {
  vi.useFakeTimers();
  runs = 0;
});

afterEach(async () => {
  await loop.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Starts a loop whose runs return these results in order, and then `idle`. */
function looping(results: readonly (RunResult | Error)[], options: Partial<LoopOptions> = {}): BackgroundLoop {
  const work = async () => {
    const result = results[runs++] ?? "idle";
    if (result instanceof Error) throw result;
    return result;
  };
  loop = startLoop({ name: "test", everyMs: 1_000, log, work, ...options });
  return loop;
}

test("runs until no work is left, then after each pause", async () => {
  await looping(["more", "more", "idle"]).idle();
  expect(runs).toBe(3);
  await vi.advanceTimersByTimeAsync(999);
  expect(runs).toBe(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(4);
});

test("a wake ends the pause, and a wake during a run causes another run", async () => {
  await looping([]).idle();
  loop.wake();
  await loop.idle();
  expect(runs).toBe(2);
  loop.wake();
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(3);
});

test("a wake during a run causes another run afterwards, without a pause", async () => {
  const ends: (() => void)[] = [];
  const work = () => new Promise<RunResult>((resolve) => ends.push(() => resolve("idle")));
  loop = startLoop({ name: "test", everyMs: 1_000, log, work });
  expect(ends).toHaveLength(1);
  loop.wake();
  const idle = vi.fn();
  const resting = loop.idle().then(idle);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(2);
  expect(idle).not.toHaveBeenCalled();
  ends[1]?.();
  await resting;
  await vi.advanceTimersByTimeAsync(999);
  expect(ends).toHaveLength(2);
  // `stop` waits for the current run.
  await vi.advanceTimersByTimeAsync(1);
  ends[2]?.();
});

test.each([["a rejection", new Error("no")] as const, ["failed", "failed"] as const])(
  "%s backs off, longer each time up to the maximum; a wake does not shorten the backoff",
  async (_, failure) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    await looping([failure, failure, failure, failure], { backoffMaxMs: 3_000 }).idle();
    for (const [count, shortestMs] of [500, 1_000, 1_500].entries()) {
      loop.wake();
      await vi.advanceTimersByTimeAsync(shortestMs - 1);
      expect(runs).toBe(count + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(runs).toBe(count + 2);
    }
  },
);

test("a success resets the backoff", async () => {
  await looping(["failed", "failed", "idle", "failed"], { backoffMaxMs: 60_000 }).idle();
  await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 1_000);
  expect(runs).toBeGreaterThanOrEqual(4);
  const before = runs;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBeGreaterThan(before);
});

test("stop aborts the current run's signal, waits for the run and starts no other", async () => {
  const ended: boolean[] = [];
  loop = startLoop({
    name: "test",
    everyMs: 1_000,
    log,
    work: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          ended.push(signal.aborted);
          resolve("more");
        });
      }),
  });
  loop.wake();
  await loop.stop();
  await loop.idle();
  expect(ended).toEqual([true]);
});

test("runEvery starts after the first pause, and runs never overlap", async () => {
  const started: (() => void)[] = [];
  loop = runEvery("test", 1_000, () => new Promise((resolve) => started.push(resolve)), log);
  await vi.advanceTimersByTimeAsync(999);
  expect(started).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(started).toHaveLength(1);
  started[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(started).toHaveLength(2);
  started[1]?.();
});
