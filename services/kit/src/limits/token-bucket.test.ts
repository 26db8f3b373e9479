import { stopClock } from "@ems/test-support";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Code, ConnectError } from "../errors.ts";
import { consumeAll, policyItem, TokenBuckets } from "./token-bucket.ts";

// The limits use the process's monotonic clock.
beforeEach(() => stopClock());
afterEach(() => void vi.useRealTimers());

const policy = { name: "key", perMinute: 60, burst: 3, message: "Too many requests with this API key" };

/** Returns the error that `work` throws. */
function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new Error("was not refused");
}

describe("a bucket", () => {
  test("allows the burst at once, then the refill rate", () => {
    const limit = new TokenBuckets(policy, 10);
    const consume = () => consumeAll([{ limit, key: "a" }]).ratelimit;
    expect([consume(), consume(), consume()]).toEqual(['"key";r=2;t=1', '"key";r=1;t=2', '"key";r=0;t=3']);
    expect(refusal(consume)).toMatchObject({ code: Code.ResourceExhausted, rawMessage: policy.message });
    vi.advanceTimersByTime(999);
    expect(refusal(consume)).toMatchObject({ code: Code.ResourceExhausted });
    vi.advanceTimersByTime(1);
    expect(consume()).toBe('"key";r=0;t=3');
    expect(refusal(consume).metadata.get("retry-after")).toBe("1");
  });

  test("holds at most the burst after any pause, separately for each key", () => {
    const limit = new TokenBuckets(policy, 10);
    limit.charge("a", 3);
    expect(limit.remaining("b")).toBe(3);
    vi.advanceTimersByTime(3_600_000);
    expect(limit.remaining("a")).toBe(3);
  });

  test("that is charged more than it holds delays the next request by at most a minute", () => {
    const limit = new TokenBuckets(policy, 10);
    const consume = () => consumeAll([{ limit, key: "a" }]);
    limit.charge("a", 13);
    expect(limit.remaining("a")).toBe(-10);
    expect(refusal(consume).metadata.get("retry-after")).toBe("11");
    for (const cost of [1_000_000, 1_000_000]) limit.charge("a", cost);
    expect(refusal(consume).metadata.get("retry-after")).toBe("60");
    vi.advanceTimersByTime(60_000);
    consume();
  });

  test("that is full allows a cost over its capacity", () => {
    const limit = new TokenBuckets(policy, 10);
    const all = [{ limit, key: "a" }];
    consumeAll(all, all, 5);
    expect(limit.remaining("a")).toBe(-2);
    vi.advanceTimersByTime(4_999);
    expect(refusal(() => consumeAll(all, all, 5))).toMatchObject({ code: Code.ResourceExhausted });
    vi.advanceTimersByTime(1);
    consumeAll(all, all, 5);
  });
});

test("a rejection by one limit consumes nothing from the others, and all are reported", () => {
  const key = { limit: new TokenBuckets(policy, 10), key: "a" };
  const few = { ...policy, name: "application", burst: 1, message: "Too many requests of this application" };
  const application = { limit: new TokenBuckets(few, 10), key: "b" };
  expect(consumeAll([key, application])).toEqual({
    "ratelimit-policy": '"key";q=3;w=3, "application";q=1;w=1',
    ratelimit: '"key";r=2;t=1, "application";r=0;t=1',
  });
  const refused = refusal(() => consumeAll([key, application]));
  expect(refused).toMatchObject({ rawMessage: "Too many requests of this application" });
  expect(refused.metadata.get("ratelimit")).toBe('"key";r=2;t=1, "application";r=0;t=1');
  expect(key.limit.remaining("a")).toBe(2);
});

test("a client within the published quota of every window is never rejected", () => {
  expect(policyItem({ ...policy, perMinute: 1_200, burst: 200 })).toBe('"key";q=200;w=10');
  expect(policyItem({ ...policy, perMinute: 7, burst: 3, unit: "rows" })).toBe('"key";q=3;w=26;qu="rows"');
  const limit = new TokenBuckets({ ...policy, perMinute: 1_200, burst: 200 }, 10);
  for (let window = 0; window < 5; window++) {
    for (let i = 0; i < 200; i++) consumeAll([{ limit, key: "a" }]);
    vi.advanceTimersByTime(10_000);
  }
});
