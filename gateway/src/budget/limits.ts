// Limits shared by all requests: rate limits, and resources held at once, per application and in total.

import { concurrencyLimited, overloaded } from "@ems/kit/errors";
import { entriesAtMost } from "@ems/kit/limits/cache-entries";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { LRUCache } from "lru-cache";
import type { GatewayConfig } from "../config.ts";
import { countRejection } from "../telemetry.ts";
import { RateLimits } from "./rate-limits.ts";

const queueTimeoutMs = 2_000;
const retryAfterMs = 1_000;

export type Limits = ReturnType<typeof createLimits>;

/** Creates the limits of a process. */
export function createLimits(config: GatewayConfig) {
  const { BODY_VALUES_MAX, RAW_BODY_VALUES_MAX, LARGE_BODIES_MAX, LARGE_BODIES_PER_APPLICATION_MAX } = config;
  return {
    rateLimits: new RateLimits(config),
    values: {
      parsed: { values: BODY_VALUES_MAX, allValues: Math.max(BODY_VALUES_MAX, RAW_BODY_VALUES_MAX) },
      raw: { values: RAW_BODY_VALUES_MAX, allValues: RAW_BODY_VALUES_MAX },
    },
    /** Limits authenticated requests whose body is incomplete. */
    arriving: new TenantConcurrencyLimiter({
      max: config.ARRIVING_MAX,
      maxPerKey: config.ARRIVING_PER_APPLICATION_MAX,
      reject: rejection("arriving", "Too many request bodies"),
    }),
    /** Limits the bytes of bodies, received and decompressed, until their requests end. */
    bodyBytes: new TenantConcurrencyLimiter({
      max: config.BODIES_MAX_BYTES,
      maxPerKey: config.BODIES_PER_APPLICATION_MAX_BYTES,
      reject: rejection("body_bytes", "Too many bytes of request bodies"),
    }),
    /** Limits large bodies until their response, and bodies that are being decompressed. */
    largeBodies: new TenantConcurrencyLimiter({
      max: LARGE_BODIES_MAX,
      maxPerKey: LARGE_BODIES_PER_APPLICATION_MAX,
      queueMax: 8 * LARGE_BODIES_MAX,
      queueMaxPerKey: 8 * LARGE_BODIES_PER_APPLICATION_MAX,
      queueTimeoutMs,
      reject: rejection("large_bodies", "Too many large bodies"),
    }),
    /** Limits requests from their complete body until the handler's response. */
    running: new TenantConcurrencyLimiter({
      max: config.IN_FLIGHT_MAX,
      maxPerKey: config.IN_FLIGHT_PER_APPLICATION_MAX,
      reject: rejection("in_flight", "Too many requests"),
    }),
    /** Limits streamed responses until they end. */
    exports: new TenantConcurrencyLimiter({
      max: config.EXPORTS_MAX,
      maxPerKey: config.EXPORTS_PER_APPLICATION_MAX,
      reject: rejection("exports", "Too many exports"),
    }),
    /** Limits the bytes of unread responses; the last response may exceed the limit. */
    unreadBytes: new TenantConcurrencyLimiter({
      max: config.ANSWERS_WAITING_MAX_BYTES,
      maxPerKey: config.ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES,
      reject: rejection("answers", "Too many unread responses"),
    }),
    /** Applications whose previous response was large; the next one may be too. */
    largeResponses: new LRUCache<string, true>(entriesAtMost(1_000)),
  };
}

/**
 * Creates the error of a concurrency limit: 429 when the `scope` itself holds too many places, 503 when all are taken.
 * Counted under `reason`.
 */
export function rejection(reason: string, text: string, scope = "application"): (whose: "key" | "all") => Error {
  return (whose) => {
    countRejection({ reason: whose === "key" ? `${reason}_of_${scope}` : reason });
    return whose === "key"
      ? concurrencyLimited(`${text} of this ${scope} at once`, retryAfterMs)
      : overloaded(`${text} at once`, retryAfterMs);
  };
}
