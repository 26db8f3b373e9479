// Webhook tests whose outcome callers wait for. Their number per application is limited, and one query polls for all
// waiters in this process. The worker that makes the attempts may run in another process.

import { concurrencyLimited } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { type Call, remainingMs } from "@ems/kit/rpc/call";
import type { AttemptRow, DeliveryRow } from "../deliveries/index.ts";
import type { Deps } from "../deps.ts";

/** The delivery of a test, with its first attempt if there is one. */
export type TestState = Pick<DeliveryRow, "status" | "lastOutcome"> & {
  [K in "outcome" | "statusCode"]: AttemptRow[K] | null;
};

/** Maximum wait: one second less than callers wait, so that the response still arrives in time. */
const waitMsMax = 19_000;
const answerMs = 1_000;
/** Polling interval: short at first, then longer, because most receivers are fast. */
const pollMsMin = 25;
const pollMsMax = 500;
const retryAfterMs = 1_000;

const firstAttempts = {
  name: "first-attempts",
  text: `SELECT d.id, d.status, d.last_outcome AS "lastOutcome", a.outcome, a.status_code AS "statusCode"
    FROM unnest($1::uuid[], $2::uuid[]) AS test (application_id, id)
    JOIN notifications.delivery d USING (application_id, id)
    LEFT JOIN notifications.attempt a
      ON a.application_id = d.application_id AND a.delivery_id = d.id AND a.number = 1`,
};

interface Waiter {
  readonly call: Call;
  readonly deliveryId: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly resolve: (test: TestState | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

type PendingTestsDeps = Pick<Deps, "relayDatabase" | "log" | "webhookTestsMax">;

export class PendingTests {
  readonly #deps: PendingTestsDeps;
  readonly #limiter: TenantConcurrencyLimiter;
  readonly #waiters = new Set<Waiter>();
  #isPolling = false;

  constructor(deps: PendingTestsDeps) {
    this.#deps = deps;
    const reject = () => concurrencyLimited("Too many webhook tests of this application at once", retryAfterMs);
    this.#limiter = new TenantConcurrencyLimiter({ maxPerKey: deps.webhookTestsMax, reject });
  }

  /** Runs `send`, which returns a delivery's ID; waits until the delivery ends or the caller can wait no longer. */
  run(call: Call, send: () => Promise<string>): Promise<TestState | undefined> {
    return this.#limiter.run(call.tenant.applicationId, undefined, async () => this.#wait(call, await send()));
  }

  #wait(call: Call, deliveryId: string): Promise<TestState | undefined> {
    return new Promise((resolve, reject) => {
      const sinceMs = performance.now();
      const untilMs = sinceMs + Math.min(waitMsMax, remainingMs(call) - answerMs);
      this.#waiters.add({ call, deliveryId, sinceMs, untilMs, resolve, reject });
      if (!this.#isPolling) void this.#poll();
    });
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    while (this.#waiters.size > 0) {
      const waiters = [...this.#waiters];
      const states = await this.#read(waiters);
      for (const waiter of waiters) this.#settle(waiter, states);
      const youngestMs = Math.max(...[...this.#waiters].map(({ sinceMs }) => sinceMs));
      const pollMs = Math.min(Math.max(performance.now() - youngestMs, pollMsMin), pollMsMax);
      if (this.#waiters.size > 0) await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    this.#isPolling = false;
  }

  /** Reads the states by delivery; undefined if the database does not respond. */
  async #read(waiters: readonly Waiter[]): Promise<ReadonlyMap<string, TestState> | undefined> {
    const values = [waiters.map(({ call }) => call.tenant.applicationId), waiters.map(({ deliveryId }) => deliveryId)];
    try {
      const rows = await this.#deps.relayDatabase.query<TestState & { id: string }>({ ...firstAttempts, values });
      return new Map(rows.map((row) => [row.id, row]));
    } catch (error) {
      this.#deps.log.warn({ err: error }, "states of webhook tests cannot be read");
      return undefined;
    }
  }

  #settle(waiter: Waiter, states: ReadonlyMap<string, TestState> | undefined): void {
    const test = states?.get(waiter.deliveryId);
    const isOver = states !== undefined && (test === undefined || test.outcome !== null || test.status !== "PENDING");
    const { signal } = waiter.call;
    if (!isOver && !signal.aborted && performance.now() < waiter.untilMs) return;
    this.#waiters.delete(waiter);
    if (signal.aborted) waiter.reject(signal.reason);
    else waiter.resolve(test);
  }
}
