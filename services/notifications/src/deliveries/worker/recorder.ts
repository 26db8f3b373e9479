// Write-behind: collects the next states of deliveries and writes them in batches, through outages of the database too.

import type { Clock } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";
import type { Pool } from "pg";
import type { Disable } from "./disable.ts";
import { type Health, healthOf, type NextState } from "./next-state.ts";
import { writeHealth, writeStates } from "./record.ts";
import { Throttle } from "./throttle.ts";

export interface RecorderDeps {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly disable: Disable;
  /** Nothing but failures for this long disables a webhook. */
  readonly failingMs: number;
}

const writeGapMs = 10;
const batchMax = 500;
/** The backoff after a failed write. */
const retryMs = 200;
/** Writes of a stopping process; what stays unwritten is attempted again after its lease. */
const stopWritesMax = 20;
/** Writes of a locked row; after that its lease has ended. */
const writesMax = 1_000;

export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #onWritten: () => void;
  readonly #writes: Throttle;
  #pending: NextState[] = [];
  #failedWrites = 0;

  /** `onWritten` is called when there is room again. */
  constructor(deps: RecorderDeps, onWritten: () => void) {
    this.#deps = deps;
    this.#onWritten = onWritten;
    this.#writes = new Throttle(writeGapMs, deps.log, () => this.#write());
  }

  /** How many states are not written yet. */
  get size(): number {
    return this.#pending.length;
  }

  add(state: NextState): void {
    this.#pending.push(state);
    this.#writes.trigger();
  }

  async stop(): Promise<void> {
    await this.#writes.stop();
    for (let writes = 0; this.#pending.length > 0 && writes < stopWritesMax; writes++) await this.#write();
    await this.#writes.stop();
  }

  async #write(): Promise<void> {
    const batch = this.#pending.splice(0, batchMax);
    if (batch.length === 0) return;
    const unwritten = await this.#writeBatch(batch);
    this.#failedWrites = unwritten.length === 0 ? 0 : this.#failedWrites + 1;
    if (this.#failedWrites < writesMax) this.#pending.unshift(...unwritten);
    if (this.#pending.length > 0) this.#writes.trigger();
    this.#onWritten();
  }

  /** Answers what is to be written again. */
  async #writeBatch(batch: readonly NextState[]): Promise<readonly NextState[]> {
    const { pool, log } = this.#deps;
    try {
      const locked = await writeStates(pool, batch);
      const written = locked.length === 0 ? batch : batch.filter((state) => !locked.includes(state));
      await this.#updateHealth(healthOf(written));
      return locked;
    } catch (error) {
      log.warn({ err: error, count: batch.length }, "attempts cannot be written yet");
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      return batch;
    }
  }

  async #updateHealth(healths: readonly Health[]): Promise<void> {
    const { pool, clock, log, disable, failingMs } = this.#deps;
    try {
      const failingSince = await writeHealth(pool, healths);
      const nowMs = clock.now().getTime();
      for (const { claimed, isGone } of healths) {
        const since = failingSince.get(claimed.applicationId);
        if (isGone) await disable(claimed, "GONE");
        else if (since !== undefined && nowMs - since.getTime() >= failingMs) await disable(claimed, "FAILING");
      }
    } catch (error) {
      // Not retried: the next failure carries the same information.
      log.warn({ err: error }, "the health of webhooks cannot be written");
    }
  }
}
