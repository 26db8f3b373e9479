import { taken } from "../telemetry/events.ts";
import { countTaken } from "../telemetry/outbox.ts";
import type { Consumer, ReceivedEvent } from "./bus.ts";

/** What became of a batch. */
export interface TakenIn {
  /** Why it was not taken in, by the event's place in the batch; the others were. */
  readonly failures: ReadonlyMap<number, unknown>;
  /** Whether the consumer can take in nothing at all: the events are not at fault. */
  readonly isDown: boolean;
}

/** Hands a batch over; when that fails and the consumer is well, one by one, so that a bad event harms no other. */
export async function takeIn(consumer: Consumer, events: readonly ReceivedEvent[]): Promise<TakenIn> {
  const takenIn = await handOver(consumer, events);
  for (const at of events.keys()) countTaken({ outcome: takenIn.failures.has(at) ? "failed" : "taken" });
  return takenIn;
}

async function handOver(consumer: Consumer, events: readonly ReceivedEvent[]): Promise<TakenIn> {
  const failures = new Map<number, unknown>();
  try {
    await taken(events, (traced) => consumer.take(traced));
    return { failures, isDown: false };
  } catch (error) {
    for (const at of events.keys()) failures.set(at, error);
  }
  if (await isDown(consumer)) return { failures, isDown: true };
  if (events.length === 1) return { failures, isDown: false };
  for (const [at, event] of events.entries()) {
    try {
      await taken([event], (traced) => consumer.take(traced));
      failures.delete(at);
    } catch (error) {
      failures.set(at, error);
      if (await isDown(consumer)) return { failures, isDown: true };
    }
  }
  return { failures, isDown: false };
}

function isDown(consumer: Consumer): Promise<boolean> {
  return consumer.ready().then(
    () => false,
    () => true,
  );
}
