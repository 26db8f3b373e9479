import { traceProcess } from "../telemetry/events.ts";
import { countHandled } from "../telemetry/outbox.ts";
import type { EventHandler, ReceivedEvent } from "./bus.ts";

export interface BatchResult {
  /** Why an event was not handled, by its index in the batch; the others were. */
  readonly failures: ReadonlyMap<number, unknown>;
  /** The handler is not ready: the events are not at fault. */
  readonly isDown: boolean;
}

/** Handles a batch; when that fails although the handler is ready, one by one, so that a bad event blocks no other. */
export async function handleBatch(handler: EventHandler, events: readonly ReceivedEvent[]): Promise<BatchResult> {
  const result = await attempt(handler, events);
  for (const index of events.keys()) countHandled({ outcome: result.failures.has(index) ? "failed" : "taken" });
  return result;
}

async function attempt(handler: EventHandler, events: readonly ReceivedEvent[]): Promise<BatchResult> {
  const failures = new Map<number, unknown>();
  const handle = (batch: readonly ReceivedEvent[]) => traceProcess(batch, (traced) => handler.handle(traced));
  const isDown = () =>
    handler.ready().then(
      () => false,
      () => true,
    );
  try {
    await handle(events);
    return { failures, isDown: false };
  } catch (error) {
    for (const index of events.keys()) failures.set(index, error);
  }
  if (await isDown()) return { failures, isDown: true };
  if (events.length === 1) return { failures, isDown: false };
  for (const [index, event] of events.entries()) {
    try {
      await handle([event]);
      failures.delete(index);
    } catch (error) {
      failures.set(index, error);
      if (await isDown()) return { failures, isDown: true };
    }
  }
  return { failures, isDown: false };
}
