// Fair shares of a service's connections: an application has at most half of them, and never more than are left over, so
// that another one finds some. A short queue takes what comes in bursts.

import { tooManyRequests, unavailable } from "../errors.ts";
import { TenantConcurrencyLimiter } from "../limits/concurrency.ts";
import type { Call } from "../rpc/call.ts";
import { connectionWaitMs } from "./data-source.ts";
import type { Scope } from "./database.ts";

const retryAfterMs = 1_000;
/** From so many connections on, one is kept for calls without a tenant and for work that needs a second one. */
const keptFromMax = 4;
/** Heavy work of one application holds one of so many connections at most. */
const heavyShare = 4;
/** It waits for its turn behind work that is long, too: for half of a usual deadline. */
const heavyWaitMs = 5_000;
/** The queue of all applications is that of so many. */
const queues = 4;

export class ConnectionShares {
  readonly #tenants: TenantConcurrencyLimiter;
  /** What takes PostgreSQL long, such as searches: connections are many, cores are few. */
  readonly #heavy: TenantConcurrencyLimiter;
  /** Calls without a tenant, such as authentication: no tenant's work holds them up. */
  readonly #others: TenantConcurrencyLimiter;
  /** Calls in a transaction: what they begin meanwhile does not wait for itself (deadlock). */
  readonly #inTransaction = new WeakSet<Call>();

  /** `queueMax` of one application may wait for a connection. */
  constructor(poolMax: number, queueMax: number) {
    const reject = (whose: "key" | "all") =>
      whose === "key"
        ? tooManyRequests("Too many requests of this application at once", retryAfterMs)
        : unavailable("Too many requests at once", undefined, retryAfterMs);
    const common = { queueMaxPerKey: queueMax, queueMax: queues * queueMax, queueTimeoutMs: connectionWaitMs };
    this.#tenants = new TenantConcurrencyLimiter({
      ...common,
      max: poolMax >= keptFromMax ? poolMax - 1 : poolMax,
      reject,
    });
    this.#heavy = new TenantConcurrencyLimiter({
      ...common,
      maxPerKey: Math.max(1, Math.floor(poolMax / heavyShare)),
      queueTimeoutMs: heavyWaitMs,
      reject,
    });
    this.#others = new TenantConcurrencyLimiter({ ...common, maxPerKey: poolMax, reject: () => reject("all") });
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.#tenants.waiting + this.#heavy.waiting + this.#others.waiting;
  }

  /** Runs `work`, which takes one connection, when there is one for it. */
  async run<T>(scope: Scope, call: Call | undefined, work: () => Promise<T>): Promise<T> {
    const isTenant = scope.applicationId !== undefined && scope.apiKeyDigest === undefined;
    const shares = isTenant ? this.#tenants : this.#others;
    const key = isTenant ? scope.applicationId : "";
    if (call !== undefined && this.#inTransaction.has(call)) shares.acquireUnchecked(key);
    // The signal is made when it is first asked for: only whoever waits needs it.
    else if (!shares.tryAcquire(key)) await shares.acquire(key, call?.signal);
    try {
      return await work();
    } finally {
      shares.release(key);
    }
  }

  /** Runs `work`, which takes PostgreSQL long and its connections by `run`. */
  heavy<T>(call: Call, work: () => Promise<T>): Promise<T> {
    return this.#heavy.run(call.tenant.applicationId, call.signal, work);
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
