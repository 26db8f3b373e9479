import { traceProcess } from "../telemetry/events.ts";
import { countHandled } from "../telemetry/outbox.ts";
import type { EventHandler, ReceivedEvent } from "./bus.ts";

/** What became of a batch. */
export interface BatchResult {
  /** Why it was not taken in, by the event's place in the batch; the others were. */
  readonly failures: ReadonlyMap<number, unknown>;
  /** Whether the consumer can take in nothing at all: the events are not at fault. */
  readonly isDown: boolean;
}

/** Hands a batch over; when that fails and the consumer is well, one by one, so that a bad event harms no other. */
export async function handleBatch(consumer: EventHandler, events: readonly ReceivedEvent[]): Promise<BatchResult> {
  const result = await handOver(consumer, events);
  for (const at of events.keys()) countHandled({ outcome: result.failures.has(at) ? "failed" : "taken" });
  return result;
}

async function handOver(consumer: EventHandler, events: readonly ReceivedEvent[]): Promise<BatchResult> {
  const failures = new Map<number, unknown>();
  try {
    await traceProcess(events, (traced) => consumer.handle(traced));
    return { failures, isDown: false };
  } catch (error) {
    for (const at of events.keys()) failures.set(at, error);
  }
  if (await isDown(consumer)) return { failures, isDown: true };
  if (events.length === 1) return { failures, isDown: false };
  for (const [at, event] of events.entries()) {
    try {
      await traceProcess([event], (traced) => consumer.handle(traced));
      failures.delete(at);
    } catch (error) {
      failures.set(at, error);
      if (await isDown(consumer)) return { failures, isDown: true };
    }
  }
  return { failures, isDown: false };
}

function isDown(consumer: EventHandler): Promise<boolean> {
  return consumer.ready().then(
    () => false,
    () => true,
  );
}
