// Concurrency limits of a service's connection pool, so that one application cannot take all of it. A short queue takes bursts.

import { concurrencyLimited, overloaded } from "../errors.ts";
import { TenantConcurrencyLimiter } from "../limits/concurrency.ts";
import { requestLoad } from "../limits/request-load.ts";
import type { Call } from "../rpc/call.ts";
import { connectionWaitMs } from "./data-source.ts";
import type { Scope } from "./scope.ts";

const retryAfterMs = 1_000;
/** Pools of this size and larger reserve a connection for calls without a tenant and for nested work. */
const reserveFrom = 4;
/** Expensive work of one application holds at most one in so many connections: there are fewer cores than connections. */
const expensiveFraction = 4;
/** Expensive work queues behind expensive work, so it waits for half of a usual deadline. */
const expensiveQueueTimeoutMs = 5_000;
/** Background work gets at most that share, so that no request waits for much of it. */
const backgroundShare = 0.4;
/** How long background work gives way to requests that follow each other without a gap. */
const yieldMs = 20;
/** All applications together may have as many waiting as this number of single ones. */
const queueFactor = 4;

export class ConnectionConcurrencyLimiter {
  readonly #tenants: TenantConcurrencyLimiter;
  /** A bulkhead for what takes PostgreSQL long, such as searches. */
  readonly #expensive: TenantConcurrencyLimiter;
  /** A bulkhead for calls without a tenant, such as authentication. */
  readonly #tenantless: TenantConcurrencyLimiter;
  /** A bulkhead for what nobody waits for. */
  readonly #background: TenantConcurrencyLimiter;
  /** Calls in a transaction take a second connection without waiting, which prevents deadlock. */
  readonly #inTransaction = new WeakSet<Call>();

  /** `queueMax` of one application may wait for a connection. */
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

  /** How many wait for a connection. */
  get waiting(): number {
    return this.#tenants.waiting + this.#expensive.waiting + this.#tenantless.waiting + this.#background.waiting;
  }

  /** Runs `work`, which takes one connection. Work of a tenant that is no call's is background work. */
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
    // A call's signal is made on first use: only whoever waits needs it.
    else if (!limiter.tryAcquire(key)) await limiter.acquire(key, call?.signal);
    try {
      return await work();
    } finally {
      limiter.release(key);
    }
  }

  /** Runs `work`, which takes PostgreSQL long and its connections by `run`. */
  runExpensive<T>(call: Call, work: () => Promise<T>): Promise<T> {
    return this.#expensive.run(call.tenant.applicationId, call.signal, work);
  }

  /** As `run`, for a transaction in which `call` may need a second connection. */
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
