// Carries a service's events from its outbox to the bus. A row is claimed for a while in a short statement, published with
// no transaction open, and marked: whoever dies in between leaves a row that another relay claims when its lease ends. It
// looks for rows that are due, never for those after the last one seen: a transaction that commits late would be missed.

import type pg from "pg";
import { relayPool } from "../db/relay-pool.ts";
import type { Logger } from "../log.ts";
import { type Repeated, repeat } from "../repeat.ts";
import { sent } from "../telemetry/events.ts";
import { countPublished, observeOutbox } from "../telemetry/outbox.ts";
import type { BusEvent, EventBus } from "./bus.ts";
import { claimDue, claimMax, deleteOld, type Marked, mark } from "./outbox-rows.ts";

export interface RelayOptions {
  /** Whose outbox. */
  readonly schema: string;
  /** As the role that sees every application's outbox. */
  readonly pool: pg.Pool;
  readonly bus: EventBus;
  readonly log: Logger;
}

const inFlightMax = 64;
/** How often it looks when nobody wakes it: for events of other processes that died, and those whose pause is over. */
const idleMs = 200;
/** How long it pauses at most when all fails: the bus answers nothing, or the database. */
const pauseMaxMs = 5_000;
/** What is still in the outbox after that long when the process ends is carried by the next one. */
const flushMs = 3_000;
const sweepMs = 10 * 60_000;

/** A relay with connections of its own. */
export function openRelay({ url, ...options }: Omit<RelayOptions, "pool"> & { readonly url: string }) {
  // One connection claims and marks, another sweeps.
  const pool = relayPool({ url, poolMax: 2, log: options.log });
  const relay = new Relay({ ...options, pool });
  const stopWatching = observeOutbox(options.schema, pool);
  return {
    wake: () => relay.wake(),
    close: async () => {
      stopWatching();
      await relay.stop();
      await pool.end();
    },
  };
}

export class Relay {
  readonly #options: RelayOptions;
  readonly #sweep: Repeated;
  readonly #ran: Promise<void>;
  #hasNews = false;
  #isStopping = false;
  /** Ends the rest that it takes; set while it does. */
  #endRest: (isStop: boolean) => void = () => undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { pool, schema, log } = options;
    this.#sweep = repeat(`sweeping the outbox of ${schema}`, sweepMs, () => deleteOld(pool, schema), log);
    this.#ran = this.#run();
  }

  /** There is something new in the outbox. */
  wake(): void {
    this.#hasNews = true;
    this.#endRest(false);
  }

  /** Publishes what is in the outbox, as far as that is quick, and ends. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#endRest(true);
    await this.#ran;
    await this.#sweep.stop();
    for (const untilMs = Date.now() + flushMs; Date.now() < untilMs; ) {
      const { published } = await this.#round();
      if (published === 0) return;
    }
  }

  async #run(): Promise<void> {
    for (let pauseMs = idleMs; !this.#isStopping; ) {
      this.#hasNews = false;
      const { claimed, published } = await this.#round();
      // Some events may be at fault themselves, and have their own pauses; when a full hand of them fails, the bus is.
      const isWell = claimed < claimMax || published > 0;
      pauseMs = isWell ? idleMs : Math.min(pauseMs * 2, pauseMaxMs);
      // More may be due.
      if (claimed >= claimMax && isWell) continue;
      await this.#rest(pauseMs, isWell);
    }
  }

  async #rest(ms: number, mayBeWoken: boolean): Promise<void> {
    if (this.#isStopping || (this.#hasNews && mayBeWoken)) return;
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, ms);
    // While all fails, new events are no reason to try sooner; the end of the process is.
    this.#endRest = (isStop) => (isStop || mayBeWoken) && over.resolve();
    await over.promise;
    clearTimeout(timer);
  }

  /** Carries up to 100 events. */
  async #round(): Promise<{ claimed: number; published: number }> {
    const { pool, schema, bus, log } = this.#options;
    if (!bus.isUp) return { claimed: 0, published: 0 };
    try {
      const events = await claimDue(pool, schema);
      if (events.length === 0) return { claimed: 0, published: 0 };
      const marked = await this.#publish(events);
      await mark(pool, schema, marked);
      const failed = marked.filter(({ error }) => error !== null);
      if (failed.length > 0) log.warn({ failed: failed.length, error: failed[0]?.error }, "events were not published");
      return { claimed: events.length, published: events.length - failed.length };
    } catch (error) {
      // Nothing is lost: the rows are claimed again when their lease ends.
      log.warn({ err: error }, "the outbox cannot be read or written");
      return { claimed: claimMax, published: 0 };
    }
  }

  async #publish(events: readonly BusEvent[]): Promise<Marked[]> {
    const { bus, schema } = this.#options;
    const queue = [...events];
    const marked: Marked[] = [];
    const one = async () => {
      for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
        const { applicationId, id } = event;
        const error = await sent(event, (traced) => bus.publish(traced)).then(() => null, sentenceOf);
        countPublished({ outbox: schema, outcome: error === null ? "published" : "failed" });
        marked.push({ applicationId, id, error });
      }
    };
    await Promise.all(Array.from({ length: inFlightMax }, one));
    return marked;
  }
}

function sentenceOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500) || "unknown";
}
