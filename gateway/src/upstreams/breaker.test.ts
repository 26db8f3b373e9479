import { fixedClock } from "@ems/test-support";
import { expect, test } from "vitest";
import { Breaker } from "./call-upstream.ts";

const refusal = new Error("refused");
const lost = new Error("lost");

function setUp() {
  const clock = fixedClock();
  const changes: string[] = [];
  const breaker = new Breaker({
    failures: 2,
    openMs: 1_000,
    isFailure: (error) => error === lost,
    refusal: () => refusal,
    onOpen: () => changes.push("open"),
    onClose: () => changes.push("closed"),
    clock,
  });
  const run = (answer: () => Promise<string> = async () => "ok") => breaker.run(answer).catch((error) => error);
  const fail = () => run(() => Promise.reject(lost));
  return { clock, changes, run, fail };
}

test("failures open it, a probe closes it, and its times depend only on the monotonic clock", async () => {
  const { clock, changes, run, fail } = setUp();
  const wallMs = Date.parse("2026-01-15T12:00:00.000Z");
  expect(await fail()).toBe(lost);
  clock.advance(500);
  expect(await fail()).toBe(lost);
  expect(await run()).toBe(refusal);
  // The machine's clock is set back by an hour: dates jump, elapsed time does not.
  Object.assign(clock, { now: () => new Date(wallMs - 3_600_000) });
  clock.advance(999);
  expect(await run()).toBe(refusal);
  clock.advance(1);
  expect(await run()).toBe("ok");
  expect(changes).toEqual(["open", "closed"]);
});

test("a failed probe keeps it open for the same time again", async () => {
  const { clock, changes, run, fail } = setUp();
  await fail();
  clock.advance(500);
  await fail();
  clock.advance(1_000);
  expect(await fail()).toBe(lost);
  clock.advance(999);
  expect(await run()).toBe(refusal);
  clock.advance(1);
  expect(await run()).toBe("ok");
  expect(changes).toEqual(["open", "open", "closed"]);
});

test("a call that began before it opened neither closes nor reopens it", async () => {
  const { clock, changes, run, fail } = setUp();
  const early = Promise.withResolvers<string>();
  const running = run(() => early.promise);
  await fail();
  clock.advance(500);
  await fail();
  early.resolve("late");
  expect(await running).toBe("late");
  expect(await run()).toBe(refusal);
  expect(changes).toEqual(["open"]);
});

test("simultaneous failures, and failures with a response in between, leave it closed", async () => {
  const { clock, changes, run, fail } = setUp();
  for (let at = 0; at < 5; at++) await fail();
  await run();
  clock.advance(500);
  await fail();
  expect(await run()).toBe("ok");
  expect(changes).toEqual([]);
});
