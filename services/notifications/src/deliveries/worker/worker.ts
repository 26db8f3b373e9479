// Delivers what is due: takes deliveries in hand, attempts them, writes down what came of it. Several workers, in several
// processes, share the work through the database alone.

import type { Clock } from "@ems/kit/clock";
import type { Random } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import type { Pool } from "pg";
import { createPublicHosts, type PublicHosts } from "../../hosts/index.ts";
import type { SecretBox } from "../../secret-box.ts";
import type { DeliveryConfig } from "../settings.ts";
import { type Claimed, claim, firstApplication, renew } from "./claim.ts";
import { createDisable, type DisableDeps } from "./disable.ts";
import { givenBack, verdict, withoutAttempt } from "./next-state.ts";
import { pruneDeliveries } from "./prune.ts";
import { Recorder } from "./recorder.ts";
import { requestOf } from "./request.ts";
import { DeliveryScheduler } from "./scheduler.ts";
import { type Attempt, createSender, type Sender } from "./send.ts";
import { recordAttempt } from "./telemetry.ts";
import { Throttle } from "./throttle.ts";

export interface WorkerDeps extends DisableDeps {
  /** Connections as the role that sees the deliveries of all applications. */
  readonly pool: Pool;
  readonly secrets: SecretBox;
  /** What is due, and when it is due again. */
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Made from the configuration when left out. */
  readonly publicHosts?: PublicHosts;
}

export interface Worker {
  start(): void;
  /** Something may be due: look at once, also when the endpoint of the application that is named is left alone. */
  wake(applicationId?: string): void;
  /** A webhook was changed or deleted: what is in hand for it but not under way is looked at again. */
  invalidate(applicationId: string): void;
  /** The applications whose endpoints are left alone for a while, after faults of ours. */
  paused(): readonly string[];
  /** Lets attempts under way end within `budgetMs`, then ends them uncounted; gives back the rest. */
  stop(budgetMs?: number): Promise<void>;
}

/** Between two looks into the database while there is much to do. */
const claimGapMs = 5;
const sweepEveryMs = 10_000;
const pruneEveryMs = 3_600_000;
const dayMs = 86_400_000;
const stopBudgetMs = 5_000;
/** Results that wait to be written; more, and nothing new is started. */
const unwrittenMax = 1_000;

export function createWorker(config: DeliveryConfig, deps: WorkerDeps): Worker {
  return new DeliveryWorker(config, deps);
}

class DeliveryWorker implements Worker {
  readonly #config: DeliveryConfig;
  readonly #deps: WorkerDeps;
  readonly #lanes: DeliveryScheduler;
  readonly #sender: Sender;
  readonly #recorder: Recorder;
  readonly #claims: Throttle;
  readonly #failingClaims: Throttle;
  readonly #renewals: Throttle;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #attempts = new Set<Promise<void>>();
  /** Where the next look begins, for failing endpoints and for the others. */
  readonly #after = { failing: firstApplication, others: firstApplication };
  /** Webhooks that were changed, and when: what was read of them before is read again. */
  readonly #changedMs = new Map<string, number>();
  #isStopping = false;

  constructor(config: DeliveryConfig, deps: WorkerDeps) {
    const { publicHosts = createPublicHosts(config), clock, log } = deps;
    this.#config = config;
    this.#deps = deps;
    this.#lanes = new DeliveryScheduler({
      running: config.WEBHOOK_CONCURRENCY,
      lane: config.WEBHOOK_ENDPOINT_CONCURRENCY,
    });
    this.#sender = createSender(config, { publicHosts, clock });
    const recorderDeps = { ...deps, disable: createDisable(deps), failingMs: config.WEBHOOK_FAILING_MS };
    this.#recorder = new Recorder(recorderDeps, () => this.#pump());
    this.#claims = new Throttle(claimGapMs, log, () => this.#claim(false));
    this.#failingClaims = new Throttle(claimGapMs, log, () => this.#claim(true));
    this.#renewals = new Throttle(claimGapMs, log, () => this.#renew());
  }

  start(): void {
    const { WEBHOOK_POLL_MS, WEBHOOK_ALLOW_CIDRS } = this.#config;
    if (WEBHOOK_ALLOW_CIDRS.length > 0) {
      this.#deps.log.warn({ cidrs: WEBHOOK_ALLOW_CIDRS }, "webhooks may go to addresses that are not public");
    }
    this.#every(WEBHOOK_POLL_MS, () => this.#poll());
    this.#every(sweepEveryMs, () => this.#sweep());
    this.#every(pruneEveryMs, () => this.#prune());
    this.#poll();
  }

  wake(applicationId?: string): void {
    if (applicationId !== undefined) this.#lanes.resume(applicationId);
    if (!this.#isStopping) this.#claims.ask();
  }

  invalidate(applicationId: string): void {
    this.#changedMs.set(applicationId, performance.now());
    this.#giveBack(this.#lanes.drain(applicationId));
    this.wake(applicationId);
  }

  paused(): readonly string[] {
    return this.#lanes.paused(performance.now());
  }

  async stop(budgetMs = stopBudgetMs): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#claims.stop(), this.#failingClaims.stop(), this.#renewals.stop()]);
    this.#giveBack(this.#lanes.drain());
    const timer = setTimeout(() => this.#sender.abort(), budgetMs);
    await Promise.all(this.#attempts);
    clearTimeout(timer);
    await this.#recorder.stop();
    await this.#sender.close();
  }

  #every(ms: number, work: () => void): void {
    this.#timers.push(setInterval(work, ms));
  }

  #poll(): void {
    this.#giveBack(this.#lanes.takeWaiting(performance.now()));
    this.#claims.ask();
    this.#failingClaims.ask();
    this.#pump();
  }

  async #claim(isFailing: boolean): Promise<void> {
    try {
      await this.#claimAll(isFailing);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "deliveries cannot be claimed");
    }
  }

  /** Looks at all applications once, as far as there is room. */
  async #claimAll(isFailing: boolean): Promise<void> {
    const name = isFailing ? "failing" : "others";
    const startedAfter = this.#after[name];
    for (;;) {
      const rowsMax = this.#lanes.room(isFailing);
      if (rowsMax === 0 || this.#isStopping) return;
      const wants = this.#lanes.wants(isFailing, performance.now());
      const after = this.#after[name];
      const { claimed, lookedUpTo } = await claim(this.#deps.pool, {
        now: this.#deps.clock.now(),
        leaseMs: this.#config.WEBHOOK_LEASE_MS,
        isFailing,
        after,
        rowsMax,
        wants,
        wantElse: this.#lanes.wantElse(isFailing),
      });
      this.#after[name] = lookedUpTo ?? firstApplication;
      this.#lanes.add(this.#current(claimed), wants);
      this.#pump();
      // Once around: at the end of the list, having begun at its beginning, or past where this look began.
      const isOnceAround = after < startedAfter && (lookedUpTo ?? "") >= startedAfter;
      if (lookedUpTo === undefined ? after === firstApplication : isOnceAround) return;
    }
  }

  /** Starts what may start now. */
  #pump(): void {
    if (this.#isStopping) return;
    const nowMs = performance.now();
    while (this.#recorder.size < unwrittenMax) {
      const claimed = this.#lanes.next(nowMs);
      if (claimed === undefined) break;
      const attempt = this.#deliver(claimed)
        // Nothing that goes wrong with one delivery ends the process: it is attempted again when its lease is over.
        .catch((error: unknown) => this.#deps.log.error({ err: error, id: claimed.id }, "delivery left to its lease"))
        .finally(() => this.#attempts.delete(attempt));
      this.#attempts.add(attempt);
    }
    if (this.#lanes.hasStale(nowMs)) this.#renewals.ask();
  }

  async #deliver(claimed: Claimed): Promise<void> {
    const { clock, random } = this.#deps;
    const ended = withoutAttempt(claimed);
    let attempt: Attempt | undefined;
    try {
      attempt = ended === undefined ? await recordAttempt(claimed, () => this.#attempt(claimed)) : undefined;
    } finally {
      this.#lanes.finished(claimed);
    }
    const pauseMs = this.#learn(claimed.applicationId, attempt);
    const context = { now: clock.now(), random: random(4).readUInt32BE() / 2 ** 32, pauseMs };
    this.#recorder.add(ended ?? verdict(claimed, attempt ?? notMade, context));
    if (this.#isStopping) return;
    if (this.#lanes.isLow(claimed, performance.now())) this.#claims.ask();
    this.#pump();
  }

  /** Answers for how long the endpoint is left alone now, if it is. */
  #learn(applicationId: string, attempt: Attempt | undefined): number | undefined {
    if (attempt === undefined) return undefined;
    if (!attempt.counts) return this.#lanes.pause(applicationId, performance.now());
    const { durationMs, outcome } = attempt;
    this.#giveBack(this.#lanes.learn(applicationId, { durationMs, hasFailed: outcome !== "DELIVERED" }));
    return undefined;
  }

  async #attempt(claimed: Claimed): Promise<Attempt> {
    const { secrets, clock, log } = this.#deps;
    const { applicationId, id } = claimed;
    try {
      const attempt = await this.#sender.send(requestOf(claimed, secrets, clock.now()));
      const isOurFault = !attempt.counts && attempt.fault !== "SHUTDOWN";
      if (isOurFault) log.warn({ applicationId, id, fault: attempt.fault }, "delivery not attempted");
      return attempt;
    } catch (error) {
      log.error({ err: error, applicationId, id }, "delivery not attempted");
      return notMade;
    }
  }

  /** Reads again what waited too long since it was read: it may have been changed, deleted or sent again. */
  async #renew(): Promise<void> {
    const stale = this.#lanes.takeStale(performance.now());
    if (stale.length === 0) return;
    try {
      const renewed = await renew(this.#deps.pool, stale, this.#config.WEBHOOK_LEASE_MS);
      this.#lanes.putBack(this.#current(renewed));
      this.#pump();
    } catch (error) {
      // Their leases end by themselves.
      this.#deps.log.warn({ err: error }, "deliveries in hand cannot be read");
    }
  }

  /** Of `claimed` what may be kept; the rest is given back: the worker stops, or the webhook was changed since. */
  #current(claimed: readonly Claimed[]): Claimed[] {
    const isCurrent = ({ applicationId, seenAtMs }: Claimed) =>
      !this.#isStopping && seenAtMs > (this.#changedMs.get(applicationId) ?? Number.NEGATIVE_INFINITY);
    this.#giveBack(claimed.filter((each) => !isCurrent(each)));
    return claimed.filter(isCurrent);
  }

  #giveBack(claimed: readonly Claimed[]): void {
    for (const each of claimed) this.#recorder.add(givenBack(each));
  }

  #sweep(): void {
    const nowMs = performance.now();
    this.#lanes.sweep(nowMs);
    this.#sender.sweep();
    for (const [applicationId, changedMs] of this.#changedMs) {
      if (nowMs - changedMs > sweepEveryMs) this.#changedMs.delete(applicationId);
    }
  }

  #prune(): void {
    const { pool, clock, log } = this.#deps;
    const time = new Date(clock.now().getTime() - this.#config.WEBHOOK_KEEP_DAYS * dayMs);
    pruneDeliveries(pool, time).catch((error: unknown) => log.warn({ err: error }, "old deliveries cannot be removed"));
  }
}

const notMade: Attempt = { counts: false, fault: "LOCAL" };
