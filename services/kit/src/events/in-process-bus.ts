// The bus of a product that is one process and has no NATS: events go from hand to hand. Publishing resolves when the
// consumer has taken the event in, so an event that is not is still in its outbox.

import { type BusEvent, batchMax, type EventBus, type EventHandler, type ReceivedEvent } from "./bus.ts";
import { handleBatch } from "./handle-batch.ts";
import { faultOf } from "./message.ts";

interface Handed {
  readonly event: BusEvent;
  readonly done: PromiseWithResolvers<void>;
}

export function inProcessBus(): EventBus {
  return new InProcessBus();
}

class InProcessBus implements EventBus {
  #consumer: EventHandler | undefined;
  #handed: Handed[] = [];
  #working: Promise<void> | undefined;
  readonly #listeners = new Map<string, ((event: ReceivedEvent) => void)[]>();

  get isUp(): boolean {
    return this.#consumer !== undefined;
  }

  publish(event: BusEvent): Promise<void> {
    for (const hear of this.#listeners.get(event.type) ?? []) hear(event);
    const done = Promise.withResolvers<void>();
    this.#handed.push({ event, done });
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
    return done.promise;
  }

  consume(consumer: EventHandler) {
    if (this.#consumer !== undefined) throw new Error("a bus has one consumer");
    this.#consumer = consumer;
    return {
      stop: async () => {
        this.#consumer = undefined;
        await this.#working;
      },
    };
  }

  listen(type: string, hear: (event: ReceivedEvent) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), hear]);
  }

  async ackedUpTo(): Promise<Date> {
    // What is published is taken in.
    return new Date();
  }

  async check(): Promise<void> {
    if (!this.isUp) throw new Error("nobody takes events in");
  }

  async close(): Promise<void> {
    await this.#working;
  }

  /** What is published while a batch is taken in makes the next batch. */
  async #work(): Promise<void> {
    // Those who publish at the same moment come into one batch.
    await new Promise(setImmediate);
    for (let batch = this.#handed.splice(0, batchMax); batch.length > 0; batch = this.#handed.splice(0, batchMax)) {
      await this.#hand(batch).catch((error: unknown) => {
        for (const { done } of batch) done.reject(error);
      });
    }
  }

  async #hand(batch: readonly Handed[]): Promise<void> {
    const consumer = this.#consumer;
    if (consumer === undefined) throw new Error("nobody takes events in");
    const good: Handed[] = [];
    for (const handed of batch) {
      const reason = faultOf(handed.event);
      if (reason === undefined) good.push(handed);
      else await deadLetter(consumer, handed, reason);
    }
    if (good.length === 0) return;
    const { failures } = await handleBatch(
      consumer,
      good.map(({ event }) => event),
    );
    for (const [at, { done }] of good.entries()) {
      if (failures.has(at)) done.reject(failures.get(at));
      else done.resolve();
    }
  }
}

async function deadLetter(consumer: EventHandler, { event, done }: Handed, reason: string): Promise<void> {
  const { applicationId, id, subject, payload } = event;
  await consumer
    .deadLetter({ applicationId, id, subject, headers: {}, payload: Buffer.from(payload), reason })
    .then(done.resolve, done.reject);
}
