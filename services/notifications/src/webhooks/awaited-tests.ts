// Tests of webhooks that somebody waits for: only so many of an application at once, and one look into the database for all
// that wait in this process. The worker that makes the attempts may be another process.

import { tooManyRequests } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Logger } from "@ems/kit/log";
import { type Call, remainingMs } from "@ems/kit/rpc/call";
import type { Pool } from "pg";
import type { AttemptRow } from "../deliveries/attempt-entity.ts";
import type { DeliveryRow } from "../deliveries/entity.ts";

/** A delivery and its first attempt, if there is one yet. */
export type Test = Pick<DeliveryRow, "status" | "lastOutcome"> & {
  [K in "outcome" | "statusCode"]: AttemptRow[K] | null;
};

/** The longest that an attempt is waited for: a second less than the caller waits. */
const waitMsMax = 19_000;
const answerMs = 1_000;
/** How often it is looked whether attempts have ended: often at first, since most receivers are quick. */
const lookMsMin = 25;
const lookMsMax = 500;
const retryAfterMs = 1_000;

const firstAttempts = {
  name: "first-attempts",
  text: `SELECT d.id, d.status, d.last_outcome AS "lastOutcome", a.outcome, a.status_code AS "statusCode"
    FROM unnest($1::uuid[], $2::uuid[]) AS asked (application_id, id)
    JOIN notifications.delivery d USING (application_id, id)
    LEFT JOIN notifications.attempt a
      ON a.application_id = d.application_id AND a.delivery_id = d.id AND a.number = 1`,
};

interface Waiter {
  readonly call: Call;
  readonly deliveryId: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly resolve: (test: Test | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

export class WebhookTests {
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #shares: TenantConcurrencyLimiter;
  readonly #waiting = new Set<Waiter>();
  #isLooking = false;

  /** `pool` sees the deliveries of all applications; `atOnceMax` tests of one application may be waited for. */
  constructor(pool: Pool, log: Logger, atOnceMax: number) {
    this.#pool = pool;
    this.#log = log;
    const refuse = () => tooManyRequests("Too many webhook tests of this application at once", retryAfterMs);
    this.#shares = new TenantConcurrencyLimiter({ maxPerKey: atOnceMax, reject: refuse });
  }

  /**
   * What becomes of the delivery that `send` makes, whose id it answers: as soon as it is attempted or cancelled, or as it
   * stands when its caller can wait no longer.
   */
  run(call: Call, send: () => Promise<string>): Promise<Test | undefined> {
    return this.#shares.run(call.tenant.applicationId, undefined, async () => this.#ended(call, await send()));
  }

  #ended(call: Call, deliveryId: string): Promise<Test | undefined> {
    return new Promise((resolve, reject) => {
      const sinceMs = performance.now();
      const untilMs = sinceMs + Math.min(waitMsMax, remainingMs(call) - answerMs);
      this.#waiting.add({ call, deliveryId, sinceMs, untilMs, resolve, reject });
      if (!this.#isLooking) void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.size > 0) {
      const asked = [...this.#waiting];
      const found = await this.#find(asked);
      for (const waiter of asked) this.#settle(waiter, found);
      const youngestMs = Math.max(...[...this.#waiting].map(({ sinceMs }) => sinceMs));
      const lookMs = Math.min(Math.max(performance.now() - youngestMs, lookMsMin), lookMsMax);
      if (this.#waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
    this.#isLooking = false;
  }

  /** By delivery; undefined while the database cannot be asked. */
  async #find(asked: readonly Waiter[]): Promise<ReadonlyMap<string, Test> | undefined> {
    const values = [asked.map(({ call }) => call.tenant.applicationId), asked.map(({ deliveryId }) => deliveryId)];
    try {
      const { rows } = await this.#pool.query<Test & { id: string }>({ ...firstAttempts, values });
      return new Map(rows.map((row) => [row.id, row]));
    } catch (error) {
      this.#log.warn({ err: error }, "tests of webhooks cannot be looked at");
      return undefined;
    }
  }

  #settle(waiter: Waiter, found: ReadonlyMap<string, Test> | undefined): void {
    const test = found?.get(waiter.deliveryId);
    const isEnded = found !== undefined && (test === undefined || test.outcome !== null || test.status !== "PENDING");
    const { signal } = waiter.call;
    if (!isEnded && !signal.aborted && performance.now() < waiter.untilMs) return;
    this.#waiting.delete(waiter);
    if (signal.aborted) waiter.reject(signal.reason);
    else waiter.resolve(test);
  }
}
