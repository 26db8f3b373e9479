// Delivery worker: claims due deliveries, attempts them and records the outcomes. Workers in several processes
// coordinate only through the database.

import { type BackgroundLoop, runEvery } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import { firstApplication } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { PublicHosts } from "@ems/kit/hosts";
import type { Random } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import type { Redactors } from "@ems/traces-client";
import type { SecretBox } from "../../secret-box.ts";
import type { DeliveryRow } from "../entity.ts";
import { type DeliveryConfig, webhookHosts } from "../settings.ts";
import { type Claimed, claim, renew } from "./claim.ts";
import { createDisable, type DisableDeps } from "./disable.ts";
import { nextState, released, withoutAttempt } from "./next-state.ts";
import { nextPromptState } from "./prompt-state.ts";
import { Recorder } from "./recorder.ts";
import { DeliveryScheduler } from "./scheduler.ts";
import { type Attempt, createSender, type Sender } from "./send.ts";
import { buildRequest } from "./signed-request.ts";
import { recordAttempt } from "./telemetry.ts";
import { Throttle } from "./throttle.ts";

export interface WorkerDeps extends DisableDeps {
  readonly relayDatabase: RelayDatabase;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Rules for hosts; default: those of the configuration. */
  readonly publicHosts?: PublicHosts;
  /** Redaction rules for answers to prompts; no prompt is sent if they cannot be loaded. */
  readonly redactors?: Redactors;
  /** Called after outcomes of prompts were written. */
  readonly onOutcomes?: () => void;
}

export interface Worker {
  start(): void;
  /** Claims due deliveries immediately, and ends the pause of the application's endpoint. */
  wake(applicationId?: string): void;
  /** Releases the application's claimed deliveries that have not started, after its webhook was changed or deleted. */
  invalidate(applicationId: string): void;
  /** Returns the applications whose endpoints are paused after internal errors. */
  paused(): readonly string[];
  /** Stops gracefully: attempts may run for `budgetMs` before they are aborted; other deliveries are released. */
  stop(budgetMs?: number): Promise<void>;
}

const claimGapMs = 5;
const sweepEveryMs = 10_000;
const stopBudgetMs = 5_000;
/** Backpressure: no attempt starts while more than this number of states is unwritten. */
const unwrittenMax = 1_000;

export function createWorker(config: DeliveryConfig, deps: WorkerDeps): Worker {
  return new DeliveryWorker("EVENT", config, deps);
}

/** Creates a worker only for prompts, so that slow prompts and events do not delay each other. */
export function createPromptWorker(config: DeliveryConfig, deps: WorkerDeps): Worker {
  const limits = {
    WEBHOOK_CONCURRENCY: config.PROMPT_CONCURRENCY,
    WEBHOOK_ENDPOINT_CONCURRENCY: config.PROMPT_ENDPOINT_CONCURRENCY,
    WEBHOOK_ATTEMPT_TIMEOUT_MS: config.PROMPT_ATTEMPT_TIMEOUT_MS,
    WEBHOOK_LEASE_MS: config.PROMPT_LEASE_MS,
  };
  return new DeliveryWorker("PROMPT", { ...config, ...limits }, deps);
}

class DeliveryWorker implements Worker {
  readonly #kind: DeliveryRow["kind"];
  readonly #config: DeliveryConfig;
  readonly #deps: WorkerDeps;
  readonly #scheduler: DeliveryScheduler;
  readonly #sender: Sender;
  readonly #recorder: Recorder;
  readonly #claims: Throttle;
  readonly #failingClaims: Throttle;
  readonly #renewals: Throttle;
  #loops: BackgroundLoop[] = [];
  readonly #attempts = new Set<Promise<void>>();
  /** Cursors for the next claims, of failing endpoints and of the others. */
  readonly #cursors = { failing: firstApplication, others: firstApplication };
  /** Times of changes to webhooks: data that was read before the change is outdated. */
  readonly #changedMs = new Map<string, number>();
  #isStopping = false;

  constructor(kind: DeliveryRow["kind"], config: DeliveryConfig, deps: WorkerDeps) {
    this.#kind = kind;
    const { publicHosts = webhookHosts(config), clock, log } = deps;
    this.#config = config;
    this.#deps = deps;
    const { WEBHOOK_CONCURRENCY: total, WEBHOOK_ENDPOINT_CONCURRENCY: perEndpoint } = config;
    this.#scheduler = new DeliveryScheduler({ total, perEndpoint });
    this.#sender = createSender(config, { publicHosts, clock });
    const recorderDeps = { ...deps, kind, disable: createDisable(deps), failingMs: config.WEBHOOK_FAILING_MS };
    this.#recorder = new Recorder(recorderDeps, () => {
      deps.onOutcomes?.();
      this.#startDue();
    });
    this.#claims = new Throttle(claimGapMs, log, () => this.#claim(false));
    this.#failingClaims = new Throttle(claimGapMs, log, () => this.#claim(true));
    this.#renewals = new Throttle(claimGapMs, log, () => this.#renew());
  }

  start(): void {
    const { WEBHOOK_POLL_MS } = this.#config;
    const { log } = this.#deps;
    this.#loops = [
      runEvery("polling for due deliveries", WEBHOOK_POLL_MS, async () => this.#poll(), log),
      runEvery("forgetting idle endpoints", sweepEveryMs, async () => this.#sweep(), log),
    ];
    if (this.#kind === "EVENT") this.#warnOfPrivateHosts();
    this.#poll();
  }

  wake(applicationId?: string): void {
    if (applicationId !== undefined) this.#scheduler.resume(applicationId);
    if (!this.#isStopping) this.#claims.trigger();
  }

  invalidate(applicationId: string): void {
    this.#changedMs.set(applicationId, performance.now());
    this.#release(this.#scheduler.drain(applicationId));
    this.wake(applicationId);
  }

  paused(): readonly string[] {
    return this.#scheduler.paused(performance.now());
  }

  async stop(budgetMs = stopBudgetMs): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await Promise.all([this.#claims.stop(), this.#failingClaims.stop(), this.#renewals.stop()]);
    this.#release(this.#scheduler.drain());
    const timer = setTimeout(() => this.#sender.abort(), budgetMs);
    await Promise.all(this.#attempts);
    clearTimeout(timer);
    await this.#recorder.stop();
    await this.#sender.close();
  }

  #warnOfPrivateHosts(): void {
    const { WEBHOOK_ALLOW_CIDRS: cidrs, WEBHOOK_ALLOW_LOOPBACK } = this.#config;
    const { log } = this.#deps;
    if (WEBHOOK_ALLOW_LOOPBACK === "yes") log.warn("webhooks may connect to http://127.0.0.1 on this machine");
    if (cidrs.length > 0) log.warn({ cidrs }, "webhooks may connect to private addresses");
  }

  #poll(): void {
    this.#release(this.#scheduler.takeDelayed(performance.now()));
    this.#claims.trigger();
    if (this.#kind === "EVENT") this.#failingClaims.trigger();
    this.#startDue();
  }

  async #claim(isFailing: boolean): Promise<void> {
    try {
      await this.#claimAll(isFailing);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "deliveries cannot be claimed");
    }
  }

  /** Claims from all applications once, as long as there is capacity. */
  async #claimAll(isFailing: boolean): Promise<void> {
    const name = isFailing ? "failing" : "others";
    const startedAfter = this.#cursors[name];
    for (;;) {
      const rowsMax = this.#scheduler.capacity(isFailing);
      if (rowsMax === 0 || this.#isStopping) return;
      const limits = this.#scheduler.claimLimits(isFailing, performance.now());
      const after = this.#cursors[name];
      const { claimed, cursor } = await claim(this.#deps.relayDatabase, {
        kind: this.#kind,
        now: this.#deps.clock.now(),
        leaseMs: this.#config.WEBHOOK_LEASE_MS,
        isFailing,
        after,
        rowsMax,
        limits,
        limitElse: this.#scheduler.claimLimitElse(isFailing),
      });
      this.#cursors[name] = cursor ?? firstApplication;
      this.#scheduler.add(this.#releaseOutdated(claimed), limits);
      this.#startDue();
      // Ends when all applications were visited: at the end of a scan from the beginning, or past the starting cursor.
      const isPastStart = after < startedAfter && (cursor ?? "") >= startedAfter;
      if (cursor === undefined ? after === firstApplication : isPastStart) return;
    }
  }

  #startDue(): void {
    if (this.#isStopping) return;
    const nowMs = performance.now();
    while (this.#recorder.size < unwrittenMax) {
      const claimed = this.#scheduler.next(nowMs);
      if (claimed === undefined) break;
      const attempt = this.#deliver(claimed)
        // An unexpected error must not end the process: the delivery is retried after its lease.
        .catch((error: unknown) =>
          this.#deps.log.error(
            { err: error, id: claimed.id },
            "delivery failed unexpectedly; it is retried after its lease",
          ),
        )
        .finally(() => this.#attempts.delete(attempt));
      this.#attempts.add(attempt);
    }
    if (this.#scheduler.hasStale(nowMs)) this.#renewals.trigger();
  }

  async #deliver(claimed: Claimed): Promise<void> {
    const { clock, random } = this.#deps;
    const ended = withoutAttempt(claimed);
    let attempt: Attempt | undefined;
    try {
      attempt = ended === undefined ? await recordAttempt(claimed, () => this.#attempt(claimed)) : undefined;
    } finally {
      this.#scheduler.finished(claimed);
    }
    const pauseMs = this.#updateScheduler(claimed.applicationId, attempt);
    const isDelivered = attempt?.counts === true && attempt.outcome === "DELIVERED";
    const context = { now: clock.now(), random: isDelivered ? 0 : random(4).readUInt32BE() / 2 ** 32, pauseMs };
    const next = this.#kind === "PROMPT" ? nextPromptState : nextState;
    this.#recorder.add(ended ?? next(claimed, attempt ?? localFault, context));
    if (this.#isStopping) return;
    if (this.#scheduler.isLow(claimed, performance.now())) this.#claims.trigger();
    this.#startDue();
  }

  /** Updates the scheduler; returns the duration of the endpoint's pause, if it is paused. */
  #updateScheduler(applicationId: string, attempt: Attempt | undefined): number | undefined {
    if (attempt === undefined) return undefined;
    if (!attempt.counts) return this.#scheduler.pause(applicationId, performance.now());
    const { durationMs, outcome } = attempt;
    const hasFailed = outcome !== "DELIVERED" && this.#kind === "EVENT";
    this.#release(this.#scheduler.recordAttempt(applicationId, { durationMs, hasFailed }));
    return undefined;
  }

  async #attempt(claimed: Claimed): Promise<Attempt> {
    const { secrets, clock, log, redactors } = this.#deps;
    const { applicationId, id } = claimed;
    try {
      const redactor = this.#kind === "PROMPT" ? await redactors?.of(claimed) : undefined;
      const attempt = await this.#sender.send({ ...buildRequest(claimed, secrets, clock.now()), redactor });
      const isOurFault = !attempt.counts && attempt.fault !== "SHUTDOWN";
      if (isOurFault) log.warn({ applicationId, id, fault: attempt.fault }, "delivery not attempted");
      return attempt;
    } catch (error) {
      log.error({ err: error, applicationId, id }, "delivery not attempted");
      return localFault;
    }
  }

  /** Reads stale deliveries a second time, because they may have been changed, deleted or resent. */
  async #renew(): Promise<void> {
    const stale = this.#scheduler.takeStale(performance.now());
    if (stale.length === 0) return;
    try {
      const renewed = await renew(this.#deps.relayDatabase, stale, this.#config.WEBHOOK_LEASE_MS);
      this.#scheduler.requeue(this.#releaseOutdated(renewed));
      this.#startDue();
    } catch (error) {
      // Nothing else to do: the leases will expire.
      this.#deps.log.warn({ err: error }, "claimed deliveries cannot be read");
    }
  }

  /** Releases deliveries that were read before their webhook changed, or all while stopping; returns the others. */
  #releaseOutdated(claimed: readonly Claimed[]): Claimed[] {
    const isCurrent = ({ applicationId, readAtMs }: Claimed) =>
      !this.#isStopping && readAtMs > (this.#changedMs.get(applicationId) ?? Number.NEGATIVE_INFINITY);
    this.#release(claimed.filter((delivery) => !isCurrent(delivery)));
    return claimed.filter(isCurrent);
  }

  #release(claimed: readonly Claimed[]): void {
    for (const delivery of claimed) this.#recorder.add(released(delivery));
  }

  #sweep(): void {
    const nowMs = performance.now();
    this.#scheduler.sweep(nowMs);
    this.#sender.sweep();
    for (const [applicationId, changedMs] of this.#changedMs) {
      if (nowMs - changedMs > sweepEveryMs) this.#changedMs.delete(applicationId);
    }
  }
}

const localFault: Attempt = { counts: false, fault: "LOCAL" };
