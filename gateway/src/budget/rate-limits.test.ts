import { Code, ConnectError } from "@ems/kit/errors";
import { services } from "@ems/proto/services";
import { stopClock } from "@ems/test-support";
import { testKeys } from "@ems/test-support/rpc-keys";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { gatewayConfig } from "../config.ts";
import { listRoutes } from "../rest/routes.ts";
import { RateLimits, ratePolicies } from "./rate-limits.ts";

// Buckets use the monotonic clock.
beforeEach(() => stopClock());
afterEach(() => void vi.useRealTimers());

const config = (env: Record<string, string>) => gatewayConfig({ ...testKeys, ...env });

/** Returns the error that `work` throws. */
function catchRejection(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new Error("was not rejected");
}

test("every rate limit that an RPC names has a policy", () => {
  const named = listRoutes(services).flatMap(({ rateLimit }) => rateLimit ?? []);
  expect(new Set(named)).toEqual(new Set(["feedback", "invitation", "webhook-test", "definition-trial", "ingest"]));
  for (const [name, policy] of Object.entries(ratePolicies(config({})))) expect(policy.name).toBe(name);
  for (const name of named) expect(ratePolicies(config({}))).toHaveProperty([name]);
});

describe("an application", () => {
  const set = { RATE_LIMIT_PER_MINUTE: "60", RATE_LIMIT_BURST: "3", RATE_LIMIT_APPLICATION_BURST: "4" };
  const key = (keyId: string) => ({ applicationId: "application", keyId });

  test("has one bucket for all its keys, independent of other applications", () => {
    const limits = new RateLimits(config(set));
    for (const keyId of ["a", "b", "c", "d"]) limits.consume(key(keyId));
    expect(catchRejection(() => limits.consume(key("e"))).rawMessage).toBe("Too many requests of this application");
    limits.consume({ applicationId: "other", keyId: "f" });
  });

  test("is not charged for requests that its key's limit rejects", () => {
    const limits = new RateLimits(config(set));
    for (let i = 0; i < 3; i++) limits.consume(key("a"));
    for (let i = 0; i < 3; i++) {
      expect(catchRejection(() => limits.consume(key("a"))).rawMessage).toBe("Too many requests with this API key");
    }
    limits.consume(key("b"));
  });

  test("has an additional bucket for RPCs that name one, independent of other applications", () => {
    const limits = new RateLimits(
      config({ RATE_LIMIT_INGEST_ROWS_PER_MINUTE: "600", RATE_LIMIT_INGEST_ROWS_BURST: "100" }),
    );
    expect(limits.consumePolicy(key("a"), "ingest", 60)).toEqual({
      "ratelimit-policy": '"application";q=1000;w=10, "key";q=200;w=10, "ingest";q=100;w=10;qu="rows"',
      ratelimit: '"application";r=1000;t=0, "key";r=200;t=0, "ingest";r=40;t=6',
    });
    const refused = catchRejection(() => limits.consumePolicy(key("b"), "ingest", 60));
    expect(refused.rawMessage).toBe("Too many ingested rows of this application");
    expect(refused.metadata.get("retry-after")).toBe("2");
    limits.consumePolicy({ applicationId: "other", keyId: "c" }, "ingest", 60);
  });

  test("in debt may not send another body until the debt is paid, and a refused body costs nothing", () => {
    const limits = new RateLimits(config(set));
    // A body may cost more than the bucket holds: it is accepted and leaves a debt.
    limits.consumeBody(key("a"), 10);
    for (let i = 0; i < 3; i++) {
      const refused = catchRejection(() => limits.consumeBody(key("a"), 10));
      expect(refused).toMatchObject({ code: Code.ResourceExhausted });
      expect(refused.rawMessage).toBe("Too many requests of this application");
    }
    expect(() => limits.consumeBody(key("b"), 1)).toThrow("Too many requests of this application");
    limits.consumeBody({ applicationId: "other", keyId: "c" }, 1);
    // At 60 a minute, the key's debt of 7 is paid after 7 s, however many requests it sent.
    vi.advanceTimersByTime(6_900);
    expect(catchRejection(() => limits.consumeBody(key("a"), 1)).rawMessage).toBe(
      "Too many requests with this API key",
    );
    vi.advanceTimersByTime(200);
    limits.consumeBody(key("a"), 1);
  });

  test("and its key are limited until the cost of a body is refilled", () => {
    const limits = new RateLimits(config(set));
    limits.consume(key("a"));
    expect(limits.consumeBody(key("a"), 4).ratelimit).toBe('"application";r=0;t=1, "key";r=0;t=5');
    expect(catchRejection(() => limits.consume(key("a"))).rawMessage).toBe("Too many requests of this application");
    vi.advanceTimersByTime(1_000);
    expect(catchRejection(() => limits.consume(key("a"))).rawMessage).toBe("Too many requests with this API key");
    limits.consume(key("b"));
  });
});
