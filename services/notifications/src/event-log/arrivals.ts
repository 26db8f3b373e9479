// Wakes readers that wait for the next event of an application. Events of this process wake them right after the
// commit. Events of other processes are found by polling the positions, with one query for all waiting readers.

import { type BackgroundLoop, runEvery } from "@ems/kit/background";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";

export interface ArrivalsDeps {
  readonly relayDatabase: RelayDatabase;
  readonly log: Logger;
}

/** Polling interval: the maximum delay before an event of another process is noticed. */
const pollMs = 250;
/** Must not be zero: a reader retries the read until its connection is closed, and would loop without pause. */
const drainWaitMs = 250;

/** Signal that fires once: at the first event after its readers began to listen. */
export interface Arrival {
  readonly came: Promise<void>;
  /** Reads that began after the previous arrival and are in progress; readers at the same position share one. */
  readonly reads: Map<string, Promise<unknown>>;
}

interface Pending extends Arrival {
  readonly resolve: () => void;
  listeners: number;
  /** Lowest position of the waiting readers. A higher one could hide an event from one of them. */
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

  /** Runs `work` with the application's next arrival. Events committed after `work` began are not missed. */
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

  /** Registers that a listening reader waits after having read up to `position`. */
  waitAt(applicationId: string, position: bigint): void {
    const pending = this.#pending.get(applicationId);
    if (pending === undefined) return;
    pending.position = pending.position === undefined || position < pending.position ? position : pending.position;
  }

  /** Wakes the readers of these applications after a commit. */
  wake(applicationIds: Iterable<string>): void {
    for (const applicationId of applicationIds) {
      const pending = this.#pending.get(applicationId);
      this.#pending.delete(applicationId);
      pending?.resolve();
    }
  }

  /** Ends all waiting because the process is about to stop; new readers wait only briefly. */
  drain(): void {
    this.#waitMsMax = drainWaitMs;
    this.wake([...this.#pending.keys()]);
  }

  /** Maximum time that a reader may wait. */
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
