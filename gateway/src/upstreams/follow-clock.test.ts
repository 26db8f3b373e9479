import type { ClockReading } from "@ems/kit/clock";
import { createLog } from "@ems/kit/log";
import { expect, onTestFinished, test } from "vitest";
import { followClock } from "./follow-clock.ts";

test("the clock is compared with the service's responses, and failed calls change nothing", async () => {
  const compared: ClockReading[] = [];
  const reading = { referenceMs: 1, askedMs: 2, answeredMs: 3 };
  let requests = 0;
  const read = async () => {
    requests += 1;
    if (requests === 1) throw new Error("not reachable");
    return reading;
  };
  const clock = { now: () => new Date(), compare: (reading: ClockReading) => void compared.push(reading) };
  const loop = followClock(clock, read, createLog("test", "silent"));
  onTestFinished(() => loop.stop());
  await expect.poll(() => requests, { timeout: 10_000 }).toBe(2);
  expect(compared).toEqual([reading]);
});
