import { expect, test } from "vitest";
import { ModelFault } from "../judges/judge.ts";
import { afterFailure, pausedAfterFailures, pausedAfterMs } from "./connections.ts";

const now = new Date("2026-11-23T12:00:00Z");
const since = (ms: number) => new Date(now.getTime() - ms);
const retryable = new ModelFault("unavailable", "The provider answered 503", { status: 503 });

test.each([401, 402, 403, 404])("a %d pauses at once, with its reason", (status) => {
  const fault = new ModelFault("rejected", `The provider answered ${status}`, { status });
  expect(afterFailure({ failureStreak: 0, failingSince: null }, fault, now)).toEqual({
    failureStreak: 1,
    failingSince: now,
    pausedAt: now,
    pauseReason: `The provider answered ${status}`,
  });
});

test("a 400 pauses nothing", () => {
  const fault = new ModelFault("rejected", "The provider answered 400: too long", { status: 400 });
  expect(afterFailure({ failureStreak: 0, failingSince: null }, fault, now).pausedAt).toBeNull();
});

test.each([
  [pausedAfterFailures - 1, pausedAfterMs, now],
  [pausedAfterFailures - 2, pausedAfterMs, null],
  [1_000, pausedAfterMs - 1, null],
])("after %d failures since %d ms, the next one pauses: %s", (failureStreak, ms, pausedAt) => {
  const after = afterFailure({ failureStreak, failingSince: since(ms) }, retryable, now);
  expect(after).toMatchObject({ failureStreak: failureStreak + 1, failingSince: since(ms), pausedAt });
});
