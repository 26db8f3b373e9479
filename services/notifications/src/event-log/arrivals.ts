// Wakes readers that wait for an application's next event. Within the process at once, after the commit; events that another
// process recorded are found by a poll of the positions, one query for all that wait.

import { type BackgroundLoop, runEvery } from "@ems/kit/background";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";

export interface ArrivalsDeps {
  readonly relayDatabase: RelayDatabase;
  readonly log: Logger;
}

/** The longest that an event of another process goes unnoticed. */
const pollMs = 250;
/** Not at once: a reader asks again until its connection is closed. */
const drainWaitMs = 250;

/** What readers of an application wait for: it comes once, with the first event after they began to listen. */
export interface Arrival {
  readonly came: Promise<void>;
  /** Reads under way that began after the arrival before. */
  readonly reads: Map<string, Promise<unknown>>;
}

interface Pending extends Arrival {
  readonly resolve: () => void;
  listeners: number;
  /** The position that a waiting reader has read to; the lowest one, as no later one may hide an event from it. */
  position: bigint | undefined;
}

export class Arrivals {
  readonly #pending = new Map<string, Pending>();
  readonly #relayDatabase: RelayDatabase;
  readonly #poll: BackgroundLoop;
  #waitMsMax = Number.POSITIVE_INFINITY;

  constructor({ relayDatabase, log }: ArrivalsDeps) {
    this.#relayDatabase = relayDatabase;
    this.#poll = runEvery("looking for events of other processes", pollMs, () => this.#wakeArrived(), log);
  }

  /** Runs `work` with the application's next arrival: whoever reads meanwhile misses no event that is committed after it began. */
  async listen<T>(applicationId: string, work: (arrival: Arrival) => Promise<T>): Promise<T> {
    const pending = this.#pending.get(applicationId) ?? newPending();
    this.#pending.set(applicationId, pending);
    pending.listeners += 1;
    try {
      return await work(pending);
    } finally {
      pending.listeners -= 1;
      if (pending.listeners === 0 && this.#pending.get(applicationId) === pending) this.#pending.delete(applicationId);
    }
  }

  /** A reader that listens has read to `position` and waits. */
  waitAt(applicationId: string, position: bigint): void {
    const pending = this.#pending.get(applicationId);
    if (pending === undefined) return;
    pending.position = pending.position === undefined || position < pending.position ? position : pending.position;
  }

  /** Events of these applications have been committed. */
  wake(applicationIds: Iterable<string>): void {
    for (const applicationId of applicationIds) {
      const pending = this.#pending.get(applicationId);
      this.#pending.delete(applicationId);
      pending?.resolve();
    }
  }

  /** The process is about to stop: waiting readers are answered, and those that come wait for a moment only. */
  drain(): void {
    this.#waitMsMax = drainWaitMs;
    this.wake([...this.#pending.keys()]);
  }

  /** The longest that a reader may wait. */
  get waitMsMax(): number {
    return this.#waitMsMax;
  }

  async stop(): Promise<void> {
    this.drain();
    await this.#poll.stop();
  }

  async #wakeArrived(): Promise<void> {
    const waiting = [...this.#pending].filter(([, { position }]) => position !== undefined);
    if (waiting.length === 0) return;
    const rows = await this.#relayDatabase.query<{ applicationId: string; position: string }>({
      name: "positions-of-waiting",
      text: `SELECT application_id AS "applicationId", position FROM notifications.event_position
        WHERE application_id = ANY ($1)`,
      values: [waiting.map(([applicationId]) => applicationId)],
    });
    const positions = new Map(rows.map(({ applicationId, position }) => [applicationId, BigInt(position)]));
    this.wake(
      waiting.flatMap(([applicationId, { position = 0n }]) =>
        (positions.get(applicationId) ?? 0n) > position ? applicationId : [],
      ),
    );
  }
}

function newPending(): Pending {
  const { promise: came, resolve } = Promise.withResolvers<void>();
  return { came, resolve, reads: new Map(), listeners: 0, position: undefined };
}
