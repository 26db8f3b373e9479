// Concurrency limits of a service's connection pool, so that one application cannot take all of it. A short queue
// absorbs bursts.

import { concurrencyLimited, overloaded } from "../errors.ts";
import { TenantConcurrencyLimiter } from "../limits/concurrency.ts";
import { requestLoad } from "../limits/request-load.ts";
import type { Call } from "../rpc/call.ts";
import { connectionWaitMs } from "./data-source.ts";
import type { Scope } from "./scope.ts";

const retryAfterMs = 1_000;
/** Pools of this size and larger reserve a connection for calls without a tenant and for nested work. */
const reserveFrom = 4;
/**
 * One application's expensive work holds at most a fourth of the connections: there are fewer cores than connections.
 */
const expensiveFraction = 4;
/** Expensive work queues behind other expensive work, so it waits for up to half of a usual deadline. */
const expensiveQueueTimeoutMs = 5_000;
/** Maximum share of background work, so that requests rarely wait for it. */
const backgroundShare = 0.4;
/** Maximum time that background work yields to consecutive requests. */
const yieldMs = 20;
/** Maximum waiting requests of all applications, as a multiple of the limit for one. */
const queueFactor = 4;

export class ConnectionConcurrencyLimiter {
  readonly #tenants: TenantConcurrencyLimiter;
  /** Bulkhead for expensive statements, such as searches. */
  readonly #expensive: TenantConcurrencyLimiter;
  /** Bulkhead for calls without a tenant, such as authentication. */
  readonly #tenantless: TenantConcurrencyLimiter;
  /** Bulkhead for background work. */
  readonly #background: TenantConcurrencyLimiter;
  /** Calls in a transaction take a second connection without waiting, which prevents deadlock. */
  readonly #inTransaction = new WeakSet<Call>();

  /** `queueMax`: maximum requests of one application that wait for a connection. */
  constructor(poolMax: number, queueMax: number) {
    const reject = (whose: "key" | "all") =>
      whose === "key"
        ? concurrencyLimited("Too many requests of this application at once", retryAfterMs)
        : overloaded("Too many requests at once", retryAfterMs);
    const common = { queueMaxPerKey: queueMax, queueMax: queueFactor * queueMax, queueTimeoutMs: connectionWaitMs };
    this.#tenants = new TenantConcurrencyLimiter({
      ...common,
      max: poolMax >= reserveFrom ? poolMax - 1 : poolMax,
      reject,
    });
    this.#expensive = new TenantConcurrencyLimiter({
      ...common,
      maxPerKey: Math.max(1, Math.floor(poolMax / expensiveFraction)),
      queueTimeoutMs: expensiveQueueTimeoutMs,
      reject,
    });
    this.#background = new TenantConcurrencyLimiter({
      max: Math.max(1, Math.floor(poolMax * backgroundShare)),
      queueMaxPerKey: Number.POSITIVE_INFINITY,
      reject,
    });
    this.#tenantless = new TenantConcurrencyLimiter({ ...common, maxPerKey: poolMax, reject: () => reject("all") });
  }

  /** Number of requests that wait for a connection. */
  get waiting(): number {
    return this.#tenants.waiting + this.#expensive.waiting + this.#tenantless.waiting + this.#background.waiting;
  }

  /** Runs `work`, which takes one connection. A tenant's work without a call counts as background work. */
  async run<T>(scope: Scope, call: Call | undefined, work: () => Promise<T>): Promise<T> {
    const isTenant = scope.applicationId !== undefined && scope.apiKeyDigest === undefined;
    const limiter = isTenant ? this.#tenants : this.#tenantless;
    const key = isTenant ? scope.applicationId : "";
    const isNested = call !== undefined && this.#inTransaction.has(call);
    if (isTenant && !isNested && (call === undefined || call.tenant.isBackground === true)) {
      return this.#background.run(key, call?.signal, async () => {
        await requestLoad.yieldToRequests(yieldMs);
        return limiter.run(key, call?.signal, work);
      });
    }
    if (isNested) limiter.acquireUnchecked(key);
    // A call's signal is created on first use: only waiting calls need it.
    else if (!limiter.tryAcquire(key)) await limiter.acquire(key, call?.signal);
    try {
      return await work();
    } finally {
      limiter.release(key);
    }
  }

  /** Runs expensive `work`, which takes its connections through `run`. */
  runExpensive<T>(call: Call, work: () => Promise<T>): Promise<T> {
    return this.#expensive.run(call.tenant.applicationId, call.signal, work);
  }

  /** Like `run`, for a transaction in which `call` may need a second connection. */
  runTransaction<T>(scope: Scope, call: Call | undefined, work: () => Promise<T>): Promise<T> {
    if (call === undefined || this.#inTransaction.has(call)) return this.run(scope, call, work);
    return this.run(scope, call, async () => {
      this.#inTransaction.add(call);
      try {
        return await work();
      } finally {
        this.#inTransaction.delete(call);
      }
    });
  }
}
