// Delivery scheduler: takes endpoints in turn (round robin). Each has its own queue and limit, so that a slow or dead
// receiver delays only itself. An application has one endpoint, its webhook.

import { type Claimed, failingStreakMin } from "./claim.ts";

export interface ConcurrencyLimits {
  /** Maximum number of concurrent attempts at all endpoints. */
  readonly total: number;
  /** Maximum number of concurrent attempts at one endpoint. */
  readonly perEndpoint: number;
}

interface Endpoint {
  readonly applicationId: string;
  queue: Claimed[];
  running: number;
  /** Number of consecutive failures. */
  failureStreak: number;
  /** Moving average of the duration of attempts. */
  averageMs: number;
  /** Time until when no attempt may start. */
  pausedUntilMs: number;
  /** Number of consecutive internal errors. */
  ownFaults: number;
  /** True if the last claim reached its limit, so that the database has more due deliveries. */
  hasMore: boolean;
}

/** Age at which a claimed delivery is stale: it is read a second time, so that changes to its webhook take effect. */
const staleAfterMs = 200;
/** Prefetch: the queue of an endpoint holds as much as it can send in this time. */
const prefetchMs = 50;
const prefetchMax = 60;
/** Maximum number of claimed deliveries for all endpoints, because their payloads are in memory. */
const claimedMax = 256;
/** Pause of an endpoint after an internal error; doubles with each consecutive error. */
const pauseMsMin = 1_000;
const pauseMsMax = 300_000;
const queuedMsMax = 1_000;
/** Assumed duration of attempts at an unknown endpoint: so long that nothing is prefetched. */
const unknownAverageMs = 1_000;

export class DeliveryScheduler {
  readonly #limits: ConcurrencyLimits;
  readonly #endpoints = new Map<string, Endpoint>();
  /** Endpoints with a queue, in round-robin order. */
  readonly #ready = new Set<Endpoint>();
  readonly #running = new Set<Claimed>();
  /** Attempts in progress at failing endpoints. */
  readonly #failingRunning = new Set<Claimed>();
  #queued = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running.size;
  }

  get queued(): number {
    return this.#queued;
  }

  /** Returns how many more deliveries can be claimed, either for failing endpoints or for the others. */
  capacity(isFailing: boolean): number {
    const claimed = this.#queued + this.#running.size;
    if (!isFailing) return Math.max(0, claimedMax - claimed);
    const failing = [...this.#endpoints.values()].filter(isFailingEndpoint);
    const failingClaimed = failing.reduce((sum, { queue, running }) => sum + queue.length + running, 0);
    return Math.max(0, Math.min(this.#failingMax - failingClaimed, claimedMax - claimed));
  }

  /** Returns the claim limit of each known endpoint, for a claim of failing endpoints or of the others. */
  claimLimits(isFailing: boolean, nowMs: number): Map<string, number> {
    const max = isFailing ? 1 : prefetchMax;
    const endpoints = [...this.#endpoints.values()];
    return new Map(endpoints.map((endpoint) => [endpoint.applicationId, Math.min(max, this.#demand(endpoint, nowMs))]));
  }

  /** Returns the claim limit for an endpoint that is not known. */
  claimLimitElse(isFailing: boolean): number {
    return isFailing ? 1 : this.#limits.perEndpoint;
  }

  /** Queues deliveries claimed with `limits`. */
  add(claimed: readonly Claimed[], limits: ReadonlyMap<string, number>): void {
    for (const [applicationId, deliveries] of Map.groupBy(claimed, (delivery) => delivery.applicationId)) {
      const endpoint = this.#endpoint(applicationId);
      const [{ webhook }] = deliveries as [Claimed, ...Claimed[]];
      endpoint.failureStreak = Math.max(
        endpoint.running === 0 ? 0 : endpoint.failureStreak,
        webhook?.failureStreak ?? 0,
      );
      const limit = limits.get(applicationId) ?? this.claimLimitElse(isFailingEndpoint(endpoint));
      endpoint.hasMore = deliveries.length >= limit;
      this.#enqueue(endpoint, deliveries);
    }
  }

  /** Queues deliveries that were removed by `takeStale` and read a second time. */
  requeue(claimed: readonly Claimed[]): void {
    for (const [applicationId, deliveries] of Map.groupBy(claimed, (delivery) => delivery.applicationId)) {
      this.#enqueue(this.#endpoint(applicationId), deliveries);
    }
  }

  /** Starts the next delivery, which counts as running until `finished`; undefined if none may start. */
  next(nowMs: number): Claimed | undefined {
    for (const endpoint of this.#ready) {
      const [first] = endpoint.queue;
      if (first === undefined || !this.#mayStart(endpoint, nowMs) || isStale(first, nowMs)) continue;
      endpoint.queue.shift();
      this.#queued--;
      endpoint.running++;
      this.#running.add(first);
      if (isFailingEndpoint(endpoint)) this.#failingRunning.add(first);
      // Moves the endpoint to the end of the rotation.
      this.#ready.delete(endpoint);
      if (endpoint.queue.length > 0) this.#ready.add(endpoint);
      return first;
    }
    return undefined;
  }

  /** Returns true if a delivery that may start is stale. */
  hasStale(nowMs: number): boolean {
    return [...this.#ready].some((endpoint) => this.#isBlockedByStale(endpoint, nowMs));
  }

  /** Removes stale deliveries that may start, and returns them. */
  takeStale(nowMs: number): Claimed[] {
    const endpoints = [...this.#ready].filter((endpoint) => this.#isBlockedByStale(endpoint, nowMs));
    return endpoints.flatMap((endpoint) => this.#empty(endpoint));
  }

  /** Marks a delivery that `next` started as finished. */
  finished(claimed: Claimed): void {
    this.#endpoint(claimed.applicationId).running--;
    this.#running.delete(claimed);
    this.#failingRunning.delete(claimed);
  }

  /** Updates the endpoint's statistics. Returns deliveries to release, because a failing endpoint may not prefetch. */
  recordAttempt(
    applicationId: string,
    { durationMs, hasFailed }: { durationMs: number; hasFailed: boolean },
  ): Claimed[] {
    const endpoint = this.#endpoint(applicationId);
    endpoint.averageMs = endpoint.averageMs * 0.8 + durationMs * 0.2;
    endpoint.failureStreak = hasFailed ? endpoint.failureStreak + 1 : 0;
    endpoint.ownFaults = 0;
    return isFailingEndpoint(endpoint) ? this.#empty(endpoint) : [];
  }

  /** Pauses the endpoint after an internal error; returns the duration of the pause. */
  pause(applicationId: string, nowMs: number): number {
    const endpoint = this.#endpoint(applicationId);
    // Errors at the same time count as one.
    if (endpoint.pausedUntilMs <= nowMs) {
      endpoint.pausedUntilMs = nowMs + Math.min(pauseMsMax, pauseMsMin * 2 ** endpoint.ownFaults);
      endpoint.ownFaults++;
    }
    return endpoint.pausedUntilMs - nowMs;
  }

  /** Ends the pause of an endpoint. */
  resume(applicationId: string): void {
    const endpoint = this.#endpoints.get(applicationId);
    if (endpoint !== undefined) endpoint.pausedUntilMs = 0;
  }

  /** Lists the applications whose endpoints are paused. */
  paused(nowMs: number): string[] {
    return [...this.#endpoints.values()]
      .filter((endpoint) => endpoint.pausedUntilMs > nowMs)
      .map((endpoint) => endpoint.applicationId);
  }

  /** Removes deliveries that wait too long behind slow attempts, to release them: they take capacity from others. */
  takeDelayed(nowMs: number): Claimed[] {
    return [...this.#ready].flatMap((endpoint) => {
      const [first] = endpoint.queue;
      if (first === undefined || nowMs - first.readAtMs < queuedMsMax || this.#mayStart(endpoint, nowMs)) return [];
      endpoint.averageMs = Math.max(endpoint.averageMs, unknownAverageMs);
      return this.#empty(endpoint);
    });
  }

  /** Returns true if the queue should be refilled from the database. Failing endpoints wait for the next poll. */
  isLow({ applicationId }: Claimed, nowMs: number): boolean {
    const endpoint = this.#endpoint(applicationId);
    if (!endpoint.hasMore || isFailingEndpoint(endpoint)) return false;
    return 2 * this.#demand(endpoint, nowMs) >= this.#limits.perEndpoint + this.#prefetch(endpoint);
  }

  /** Empties the queue of one application, or of all. */
  drain(applicationId?: string): Claimed[] {
    const endpoints = [...this.#endpoints.values()];
    const drained = endpoints.filter(
      (endpoint) => applicationId === undefined || endpoint.applicationId === applicationId,
    );
    return drained.flatMap((endpoint) => this.#empty(endpoint));
  }

  /** Removes endpoints that are idle. */
  sweep(nowMs: number): void {
    for (const [applicationId, endpoint] of this.#endpoints) {
      // The number of errors is kept, because the next attempt needs it for its backoff.
      const neededUntilMs = endpoint.pausedUntilMs + (endpoint.ownFaults > 0 ? pauseMsMax : 0);
      const isIdle = endpoint.queue.length === 0 && endpoint.running === 0 && neededUntilMs < nowMs;
      if (isIdle) this.#endpoints.delete(applicationId);
    }
  }

  /** Bulkhead: half of the attempts are reserved for endpoints that do not fail. */
  get #failingMax(): number {
    return Math.max(1, Math.floor(this.#limits.total / 2));
  }

  #mayStart(endpoint: Endpoint, nowMs: number): boolean {
    if (this.#running.size >= this.#limits.total || endpoint.pausedUntilMs > nowMs) return false;
    if (!isFailingEndpoint(endpoint)) return endpoint.running < this.#concurrency(endpoint);
    return endpoint.running === 0 && this.#failingRunning.size < this.#failingMax;
  }

  #isBlockedByStale(endpoint: Endpoint, nowMs: number): boolean {
    const [first] = endpoint.queue;
    return first !== undefined && this.#mayStart(endpoint, nowMs) && isStale(first, nowMs);
  }

  /** Returns how many more deliveries the endpoint's queue should hold. */
  #demand(endpoint: Endpoint, nowMs: number): number {
    if (endpoint.pausedUntilMs > nowMs) return 0;
    const max = isFailingEndpoint(endpoint) ? 1 : this.#concurrency(endpoint) + this.#prefetch(endpoint);
    return Math.max(0, max - endpoint.queue.length - endpoint.running);
  }

  /** Half-open circuit: after an internal error, only one attempt at a time is allowed. */
  #concurrency({ ownFaults }: Endpoint): number {
    return ownFaults > 0 ? 1 : this.#limits.perEndpoint;
  }

  #prefetch(endpoint: Endpoint): number {
    if (isFailingEndpoint(endpoint) || endpoint.ownFaults > 0) return 0;
    const perAttempt = prefetchMs / Math.max(endpoint.averageMs, 1);
    return Math.min(prefetchMax, Math.round(this.#limits.perEndpoint * perAttempt));
  }

  #enqueue(endpoint: Endpoint, deliveries: readonly Claimed[]): void {
    endpoint.queue.push(...deliveries);
    this.#queued += deliveries.length;
    if (endpoint.queue.length > 0) this.#ready.add(endpoint);
  }

  #empty(endpoint: Endpoint): Claimed[] {
    const { queue } = endpoint;
    endpoint.queue = [];
    this.#queued -= queue.length;
    this.#ready.delete(endpoint);
    return queue;
  }

  #endpoint(applicationId: string): Endpoint {
    const existing = this.#endpoints.get(applicationId);
    if (existing !== undefined) return existing;
    const counters = { running: 0, failureStreak: 0, averageMs: unknownAverageMs, pausedUntilMs: 0, ownFaults: 0 };
    const endpoint: Endpoint = { applicationId, queue: [], ...counters, hasMore: false };
    this.#endpoints.set(applicationId, endpoint);
    return endpoint;
  }
}

function isFailingEndpoint({ failureStreak }: Endpoint): boolean {
  return failureStreak >= failingStreakMin;
}

function isStale({ readAtMs }: Claimed, nowMs: number): boolean {
  return nowMs - readAtMs > staleAfterMs;
}
