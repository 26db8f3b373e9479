// The bus of a single process without NATS. Publishing resolves when the event was handled; until then it stays in its
// outbox.

import { systemClock } from "../clock.ts";
import { type BusEvent, batchMax, type EventBus, type EventHandler, handleBatch, type ReceivedEvent } from "./bus.ts";
import { buildHeaders, receive } from "./message.ts";

interface Pending {
  readonly event: BusEvent;
  readonly done: PromiseWithResolvers<void>;
}

export function inProcessBus(): EventBus {
  return new InProcessBus();
}

class InProcessBus implements EventBus {
  #handler: EventHandler | undefined;
  #queue: Pending[] = [];
  #working: Promise<void> | undefined;
  readonly #listeners = new Map<string, ((event: ReceivedEvent) => void)[]>();

  get isUp(): boolean {
    return this.#handler !== undefined;
  }

  publish(event: BusEvent): Promise<void> {
    this.#tellListeners(event);
    const done = Promise.withResolvers<void>();
    this.#queue.push({ event, done });
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
    return done.promise;
  }

  consume(handler: EventHandler) {
    if (this.#handler !== undefined) throw new Error("the bus already has a consumer");
    this.#handler = handler;
    return {
      stop: async () => {
        this.#handler = undefined;
        await this.#working;
      },
    };
  }

  listen(type: string, listener: (event: ReceivedEvent) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  async ackedUpTo(): Promise<Date> {
    return systemClock.now();
  }

  async check(): Promise<void> {
    this.#requireHandler();
  }

  async close(): Promise<void> {
    await this.#working;
  }

  #tellListeners(event: BusEvent): void {
    const listeners = this.#listeners.get(event.type) ?? [];
    const received = listeners.length === 0 ? "" : receive(event);
    if (typeof received !== "string") for (const listener of listeners) listener(received);
  }

  /** Handles queued events in batches. Events published while a batch is handled form the next batch. */
  async #work(): Promise<void> {
    // Lets concurrent publishers share one batch.
    await new Promise(setImmediate);
    for (let batch = this.#queue.splice(0, batchMax); batch.length > 0; batch = this.#queue.splice(0, batchMax)) {
      await this.#handle(batch).catch((error: unknown) => {
        for (const { done } of batch) done.reject(error);
      });
    }
  }

  async #handle(batch: readonly Pending[]): Promise<void> {
    const handler = this.#requireHandler();
    const valid: { readonly event: ReceivedEvent; readonly done: Pending["done"] }[] = [];
    for (const pending of batch) {
      const event = receive(pending.event);
      if (typeof event === "string") await deadLetter(handler, pending, event);
      else valid.push({ event, done: pending.done });
    }
    if (valid.length === 0) return;
    const { failures } = await handleBatch(
      handler,
      valid.map(({ event }) => event),
    );
    for (const [index, { done }] of valid.entries()) {
      if (failures.has(index)) done.reject(failures.get(index));
      else done.resolve();
    }
  }

  #requireHandler(): EventHandler {
    if (this.#handler === undefined) throw new Error("the bus has no consumer");
    return this.#handler;
  }
}

async function deadLetter(handler: EventHandler, { event, done }: Pending, reason: string): Promise<void> {
  const { applicationId, id, subject, body } = event;
  // Same headers as on NATS, so that the event can be retried.
  const headers = Object.fromEntries(buildHeaders(event).map(([name, value]) => [name, [value]]));
  await handler
    .deadLetter({ applicationId, id, subject, headers, payload: body, reason })
    .then(done.resolve, done.reject);
}
