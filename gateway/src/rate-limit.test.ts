import { Code, ConnectError } from "@ems/kit/errors";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { gatewayConfig } from "./config.ts";
import { FailureLimit, RateLimit } from "./rate-limit.ts";

// The limits count by the process's monotonic clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const config = (env: Record<string, string>) => gatewayConfig({ RPC_SECRET: "x".repeat(32), ...env });

/** What `work` refuses with. */
function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new Error("was not refused");
}

describe("a key", () => {
  const set = { RATE_LIMIT_PER_MINUTE: "60", RATE_LIMIT_BURST: "3" };

  test("may ask as much at once as the burst, and then as fast as its bucket is filled", () => {
    const limit = new RateLimit(config(set));
    const take = () => limit.take("key").ratelimit;
    expect([take(), take(), take()]).toEqual(['"key";r=2;t=1', '"key";r=1;t=2', '"key";r=0;t=3']);
    expect(refusal(take)).toMatchObject({ code: Code.ResourceExhausted });
    vi.advanceTimersByTime(999);
    expect(refusal(take)).toMatchObject({ code: Code.ResourceExhausted });
    vi.advanceTimersByTime(1);
    expect(take()).toBe('"key";r=0;t=3');
    expect(refusal(take)).toMatchObject({ code: Code.ResourceExhausted });
  });

  test("has no more than the burst after any pause", () => {
    const limit = new RateLimit(config(set));
    limit.take("key");
    vi.advanceTimersByTime(3_600_000);
    expect(limit.take("key").ratelimit).toBe('"key";r=2;t=1');
  });
});

describe("an address", () => {
  test("that failed as often as it may is refused until a minute has passed since it first did", () => {
    const limit = new FailureLimit(config({ AUTH_FAILURES_PER_MINUTE: "3" }));
    const check = () => limit.check("10.0.0.1");
    for (let i = 0; i < 3; i++) {
      check();
      limit.count("10.0.0.1");
    }
    vi.advanceTimersByTime(15_000);
    const refused = refusal(check);
    expect(refused).toMatchObject({ code: Code.ResourceExhausted, rawMessage: "Too many failed authentications" });
    expect(refused.metadata.get("retry-after")).toBe("45");
    vi.advanceTimersByTime(44_999);
    expect(refusal(check)).toMatchObject({ code: Code.ResourceExhausted });
    vi.advanceTimersByTime(1);
    check();
  });

  test("is not judged by the failures of another", () => {
    const limit = new FailureLimit(config({ AUTH_FAILURES_PER_MINUTE: "1" }));
    limit.count("10.0.0.1");
    expect(refusal(() => limit.check("10.0.0.1"))).toMatchObject({ code: Code.ResourceExhausted });
    limit.check("10.0.0.2");
  });
});
