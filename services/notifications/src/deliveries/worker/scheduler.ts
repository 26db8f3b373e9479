// Whose turn it is. Deliveries in hand wait in one lane an application; lanes take turns, each with its own limit, so that a
// receiver that is slow or dead holds nobody up but itself.

import { type Claimed, failingStreak } from "./claim.ts";

export interface SchedulerLimits {
  /** Attempts at a time, of all lanes. */
  readonly running: number;
  /** Attempts at a time, of one lane. */
  readonly lane: number;
}

interface Lane {
  readonly applicationId: string;
  queue: Claimed[];
  running: number;
  /** Failures in a row. */
  streak: number;
  /** How long an attempt takes, of late. */
  averageMs: number;
  /** Until then nothing of it is started. */
  pausedUntilMs: number;
  /** Faults of ours in a row. */
  ownFaults: number;
  /** The last claim gave as many as were wanted: there are more. */
  hasMore: boolean;
}

/** For how long what was read of a webhook holds: a change is followed within that time. */
const freshMs = 200;
/** A lane takes ahead what it uses up in about this time, so that it need not ask for each. */
const aheadMs = 50;
const aheadMax = 60;
/** Deliveries in hand, of all lanes: their payloads are in memory. */
const heldMax = 256;
/** How long an endpoint is left alone after a fault of ours: twice as long after each in a row, since the next is likely. */
const pauseMsMin = 1_000;
const pauseMsMax = 300_000;
const waitingMaxMs = 1_000;
/** How long attempts at an endpoint take that is not known yet: nothing is taken ahead for it. */
const unknownMs = 1_000;

export class DeliveryScheduler {
  readonly #limits: SchedulerLimits;
  readonly #lanes = new Map<string, Lane>();
  /** DeliveryScheduler that have something waiting, in the order of their turns. */
  readonly #turns = new Set<Lane>();
  readonly #running = new Set<Claimed>();
  /** Those that were started one at a time, because their endpoints were failing. */
  readonly #failingRunning = new Set<Claimed>();
  #queued = 0;

  constructor(limits: SchedulerLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running.size;
  }

  get queued(): number {
    return this.#queued;
  }

  /** How many more deliveries may be taken in hand, to endpoints that are failing or to others. */
  room(isFailing: boolean): number {
    const held = this.#queued + this.#running.size;
    if (!isFailing) return Math.max(0, heldMax - held);
    const failing = [...this.#lanes.values()].filter(isFailingLane);
    const failingHeld = failing.reduce((sum, { queue, running }) => sum + queue.length + running, 0);
    return Math.max(0, Math.min(this.#failingMax - failingHeld, heldMax - held));
  }

  /** How many deliveries each known lane wants to have beside those it has, when failing ones or others are asked for. */
  wants(isFailing: boolean, nowMs: number): Map<string, number> {
    const most = isFailing ? 1 : aheadMax;
    const lanes = [...this.#lanes.values()];
    return new Map(lanes.map((lane) => [lane.applicationId, Math.min(most, this.#want(lane, nowMs))]));
  }

  /** What of a lane that is not known yet is wanted. */
  wantElse(isFailing: boolean): number {
    return isFailing ? 1 : this.#limits.lane;
  }

  /** Takes in what was claimed by what `wants` said. */
  add(claimed: readonly Claimed[], wants: ReadonlyMap<string, number>): void {
    const byApplication = Map.groupBy(claimed, ({ applicationId }) => applicationId);
    for (const [applicationId, deliveries] of byApplication) {
      const lane = this.#lane(applicationId);
      const [{ webhook }] = deliveries as [Claimed, ...Claimed[]];
      lane.streak = Math.max(lane.running === 0 ? 0 : lane.streak, webhook?.failureStreak ?? 0);
      lane.hasMore = deliveries.length >= (wants.get(applicationId) ?? this.wantElse(isFailingLane(lane)));
      this.#enqueue(lane, deliveries);
    }
  }

  /** Puts back what `takeStale` gave out, as it is now. */
  putBack(claimed: readonly Claimed[]): void {
    for (const [applicationId, deliveries] of Map.groupBy(claimed, (each) => each.applicationId)) {
      this.#enqueue(this.#lane(applicationId), deliveries);
    }
  }

  /** The next delivery to attempt; undefined when nothing may start now. It runs until `finished`. */
  next(nowMs: number): Claimed | undefined {
    for (const lane of this.#turns) {
      const [first] = lane.queue;
      if (first === undefined || !this.#mayStart(lane, nowMs) || isStale(first, nowMs)) continue;
      lane.queue.shift();
      this.#queued--;
      lane.running++;
      this.#running.add(first);
      if (isFailingLane(lane)) this.#failingRunning.add(first);
      // To the end of the line.
      this.#turns.delete(lane);
      if (lane.queue.length > 0) this.#turns.add(lane);
      return first;
    }
    return undefined;
  }

  /** Whether something could start now but was read too long ago. */
  hasStale(nowMs: number): boolean {
    return [...this.#turns].some((lane) => this.#isHeldUp(lane, nowMs));
  }

  /** What could start now but was read too long ago, to be read again and put back. */
  takeStale(nowMs: number): Claimed[] {
    const lanes = [...this.#turns].filter((lane) => this.#isHeldUp(lane, nowMs));
    return lanes.flatMap((lane) => this.#empty(lane));
  }

  /** A delivery that `next` gave out is done with. */
  finished(claimed: Claimed): void {
    this.#lane(claimed.applicationId).running--;
    this.#running.delete(claimed);
    this.#failingRunning.delete(claimed);
  }

  /** What an attempt says about its receiver. Answers what is to be given back, now that less is taken ahead. */
  learn(applicationId: string, { durationMs, hasFailed }: { durationMs: number; hasFailed: boolean }): Claimed[] {
    const lane = this.#lane(applicationId);
    lane.averageMs = lane.averageMs * 0.8 + durationMs * 0.2;
    lane.streak = hasFailed ? lane.streak + 1 : 0;
    lane.ownFaults = 0;
    return isFailingLane(lane) ? this.#empty(lane) : [];
  }

  /** A fault of ours: the endpoint is left alone. Answers for how long, in milliseconds. */
  pause(applicationId: string, nowMs: number): number {
    const lane = this.#lane(applicationId);
    // Those that were under way together are one fault.
    if (lane.pausedUntilMs <= nowMs) {
      lane.pausedUntilMs = nowMs + Math.min(pauseMsMax, pauseMsMin * 2 ** lane.ownFaults);
      lane.ownFaults++;
    }
    return lane.pausedUntilMs - nowMs;
  }

  /** Somebody wants the endpoint to be tried now. */
  resume(applicationId: string): void {
    const lane = this.#lanes.get(applicationId);
    if (lane !== undefined) lane.pausedUntilMs = 0;
  }

  /** The applications whose endpoints are left alone. */
  paused(nowMs: number): string[] {
    return [...this.#lanes.values()].filter((lane) => lane.pausedUntilMs > nowMs).map((lane) => lane.applicationId);
  }

  /** What waits too long behind attempts that do not end, to be given back: it takes the room of others. */
  takeWaiting(nowMs: number): Claimed[] {
    return [...this.#turns].flatMap((lane) => {
      const [first] = lane.queue;
      if (first === undefined || nowMs - first.seenAtMs < waitingMaxMs || this.#mayStart(lane, nowMs)) return [];
      lane.averageMs = Math.max(lane.averageMs, unknownMs);
      return this.#empty(lane);
    });
  }

  /** Whether a lane is about to run out that has more in the database. One that fails can wait for the next round. */
  isLow({ applicationId }: Claimed, nowMs: number): boolean {
    const lane = this.#lane(applicationId);
    if (!lane.hasMore || isFailingLane(lane)) return false;
    return 2 * this.#want(lane, nowMs) >= this.#limits.lane + this.#ahead(lane);
  }

  /** Everything that waits, of one application or of all, taken out. */
  drain(applicationId?: string): Claimed[] {
    const lanes = [...this.#lanes.values()];
    const drained = applicationId === undefined ? lanes : lanes.filter((lane) => lane.applicationId === applicationId);
    return drained.flatMap((lane) => this.#empty(lane));
  }

  /** Forgets lanes that have nothing to do. */
  sweep(nowMs: number): void {
    for (const [applicationId, lane] of this.#lanes) {
      // What is due again after a pause must find how long that was.
      const wantedUntilMs = lane.pausedUntilMs + (lane.ownFaults > 0 ? pauseMsMax : 0);
      const isIdle = lane.queue.length === 0 && lane.running === 0 && wantedUntilMs < nowMs;
      if (isIdle) this.#lanes.delete(applicationId);
    }
  }

  get #failingMax(): number {
    return Math.max(1, Math.floor(this.#limits.running / 2));
  }

  #mayStart(lane: Lane, nowMs: number): boolean {
    if (this.#running.size >= this.#limits.running || lane.pausedUntilMs > nowMs) return false;
    if (!isFailingLane(lane)) return lane.running < this.#most(lane);
    return lane.running === 0 && this.#failingRunning.size < this.#failingMax;
  }

  #isHeldUp(lane: Lane, nowMs: number): boolean {
    const [first] = lane.queue;
    return first !== undefined && this.#mayStart(lane, nowMs) && isStale(first, nowMs);
  }

  #want(lane: Lane, nowMs: number): number {
    if (lane.pausedUntilMs > nowMs) return 0;
    const most = isFailingLane(lane) ? 1 : this.#most(lane) + this.#ahead(lane);
    return Math.max(0, most - lane.queue.length - lane.running);
  }

  /** Attempts at a time. After a fault of ours one finds out whether it is over. */
  #most({ ownFaults }: Lane): number {
    return ownFaults > 0 ? 1 : this.#limits.lane;
  }

  #ahead(lane: Lane): number {
    if (isFailingLane(lane) || lane.ownFaults > 0) return 0;
    return Math.min(aheadMax, Math.round((this.#limits.lane * aheadMs) / Math.max(lane.averageMs, 1)));
  }

  #enqueue(lane: Lane, deliveries: readonly Claimed[]): void {
    lane.queue.push(...deliveries);
    this.#queued += deliveries.length;
    if (lane.queue.length > 0) this.#turns.add(lane);
  }

  #empty(lane: Lane): Claimed[] {
    const { queue } = lane;
    lane.queue = [];
    this.#queued -= queue.length;
    this.#turns.delete(lane);
    return queue;
  }

  #lane(applicationId: string): Lane {
    const known = this.#lanes.get(applicationId);
    if (known !== undefined) return known;
    const lane: Lane = {
      applicationId,
      queue: [],
      running: 0,
      streak: 0,
      averageMs: unknownMs,
      pausedUntilMs: 0,
      ownFaults: 0,
      hasMore: false,
    };
    this.#lanes.set(applicationId, lane);
    return lane;
  }
}

function isFailingLane({ streak }: Lane): boolean {
  return streak >= failingStreak;
}

function isStale({ seenAtMs }: Claimed, nowMs: number): boolean {
  return nowMs - seenAtMs > freshMs;
}
