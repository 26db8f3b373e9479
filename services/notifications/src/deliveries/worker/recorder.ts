// Collects what came of attempts and writes it, many at a time, until it is written: through outages of the database too.

import type { Clock } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";
import type { Pool } from "pg";
import type { Disable } from "./disable.ts";
import { type Health, healthOf, type NextState } from "./next-state.ts";
import { record, recordHealth } from "./record.ts";
import { Throttle } from "./throttle.ts";

export interface RecorderDeps {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly disable: Disable;
  /** Nothing but failures for this long disables a webhook. */
  readonly failingMs: number;
}

/** Between two writes: what comes meanwhile goes together. */
const writeGapMs = 10;
const batchMax = 500;
/** After a write that failed. */
const retryMs = 200;
/** How long a stopping process tries to write what is left; what is not written is attempted again after its lease. */
const stopTriesMax = 20;
/** Rows that somebody else holds are tried again so often; after that their leases have ended. */
const triesMax = 1_000;

export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #written: () => void;
  readonly #writes: Throttle;
  #waiting: NextState[] = [];
  #tries = 0;

  /** `written` is called when there is room again. */
  constructor(deps: RecorderDeps, written: () => void) {
    this.#deps = deps;
    this.#written = written;
    this.#writes = new Throttle(writeGapMs, deps.log, () => this.#write());
  }

  /** How many wait to be written. */
  get size(): number {
    return this.#waiting.length;
  }

  add(verdict: NextState): void {
    this.#waiting.push(verdict);
    this.#writes.ask();
  }

  async stop(): Promise<void> {
    await this.#writes.stop();
    for (let tries = 0; this.#waiting.length > 0 && tries < stopTriesMax; tries++) await this.#write();
    await this.#writes.stop();
  }

  async #write(): Promise<void> {
    const batch = this.#waiting.splice(0, batchMax);
    if (batch.length === 0) return;
    const left = await this.#writeBatch(batch);
    this.#tries = left.length === 0 ? 0 : this.#tries + 1;
    if (this.#tries < triesMax) this.#waiting.unshift(...left);
    if (this.#waiting.length > 0) this.#writes.ask();
    this.#written();
  }

  /** Answers what is to be written again. */
  async #writeBatch(batch: readonly NextState[]): Promise<readonly NextState[]> {
    const { pool, log } = this.#deps;
    try {
      const left = await record(pool, batch);
      const written = left.length === 0 ? batch : batch.filter((verdict) => !left.includes(verdict));
      await this.#judge(healthOf(written));
      return left;
    } catch (error) {
      log.warn({ err: error, count: batch.length }, "attempts cannot be written yet");
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      return batch;
    }
  }

  async #judge(healths: readonly Health[]): Promise<void> {
    const { pool, clock, log, disable, failingMs } = this.#deps;
    try {
      const failingSince = await recordHealth(pool, healths);
      const nowMs = clock.now().getTime();
      for (const { claimed, isGone } of healths) {
        const since = failingSince.get(claimed.applicationId);
        if (isGone) await disable(claimed, "GONE");
        else if (since !== undefined && nowMs - since.getTime() >= failingMs) await disable(claimed, "FAILING");
      }
    } catch (error) {
      // The next failure says the same again.
      log.warn({ err: error }, "the health of webhooks cannot be written");
    }
  }
}
