import { concurrencyLimited, invalidFields } from "@ems/kit/errors";
import { eventType } from "@ems/kit/events/event-type";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { type Call, remainingMs } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { EventLogService } from "@ems/proto/notifications/v1/event_log_service";
import type { Arrival, Arrivals } from "./arrivals.ts";
import { type Page, type PageLimits, type ReadPageDeps, readPage, startPosition } from "./read-page.ts";

type Handler = Handlers<typeof EventLogService>["readEvents"];

export interface ReadEventsDeps extends ReadPageDeps {
  readonly arrivals: Arrivals;
}

/**
 * Maximum connections, for all readers and per application: an event that wakes many readers uses few. Others queue.
 */
const reading = { max: 6, maxPerKey: 2, queueMaxPerKey: 2_000, queueMax: 4_000 };
/** Part of the call's deadline that is reserved for the response. */
const answerMs = 500;

/** Reads a page of the log; if there is none yet, waits for the next event. */
export function readEvents({ arrivals, ...deps }: ReadEventsDeps): Handler {
  const limiter = new TenantConcurrencyLimiter({
    ...reading,
    reject: () => concurrencyLimited("Too many event readers"),
  });

  const read = ({ reads }: Arrival, call: Call, after: bigint, limits: PageLimits): Promise<Page> => {
    const { applicationId } = call.tenant;
    const key = [after, limits.limit, limits.bytes, ...limits.types].join();
    // Readers that were woken by the same event are at the same position, and share the read of a page.
    const shared = reads.get(key) as Promise<Page> | undefined;
    const readAlone = () => limiter.run(applicationId, undefined, () => readPage(deps, call, after, limits));
    // A shared read fails if the reader that began it disconnects; then this reader reads alone.
    if (shared !== undefined) return shared.catch(readAlone);
    const page = readAlone().finally(() => reads.delete(key));
    reads.set(key, page);
    return page;
  };

  return async (request, call) => {
    const { types, start, waitMs } = request;
    assertPublic(types);
    const { applicationId } = call.tenant;
    const after = request.after ?? (await startPosition(deps.database, call, start));
    const untilMs = performance.now() + Math.min(waitMs, remainingMs(call) - answerMs);
    for (;;) {
      const page = await arrivals.listen(applicationId, async (arrival) => {
        const found = await read(arrival, call, after, request);
        const leftMs = Math.min(untilMs - performance.now(), arrivals.waitMsMax);
        if (found.position > after || leftMs <= 0) return found;
        arrivals.waitAt(applicationId, after);
        return (await waitForArrival(arrival, leftMs, call.signal)) ? undefined : found;
      });
      if (page !== undefined) return page;
    }
  };
}

/** Throws for types of internal events, which readers do not know. */
function assertPublic(types: readonly string[]): void {
  const violations = types.flatMap((type, index) =>
    eventType(type)?.isInternal === false ? [] : { path: ["types", index], message: "Unknown event type" },
  );
  if (violations.length > 0) throw invalidFields(violations);
}

/** Returns true if the arrival fires within the time; rejects if the caller disconnects. */
function waitForArrival(arrival: Arrival, ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    const onAbort = () => {
      end();
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve(false);
    }, ms);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    arrival.came.then(() => {
      end();
      resolve(true);
    });
  });
}
