// EventService.Watch: sends the event log page by page. The next page is read when the client has read the previous
// one, so a slow client costs one page of memory and does not affect others.

import { setTimeout as sleep } from "node:timers/promises";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { decodeMessage } from "@ems/kit/codec";
import { Code, ConnectError, unavailable } from "@ems/kit/errors";
import { EventSchema } from "@ems/proto/events/v1/event";
import {
  EventLogService,
  type ReadEventsRequestSchema,
  type ReadEventsResponse,
} from "@ems/proto/notifications/v1/event_log_service";
import {
  EventService,
  type WatchRequest,
  type WatchResponse,
  WatchResponseSchema,
} from "@ems/proto/notifications/v1/event_service";
import { ExponentialBackoff, halfJitterGenerator, type IBackoff } from "cockatiel";
import type { GatewayConfig } from "../config.ts";
import { countWatchedEvent } from "../telemetry.ts";
import type { PublicStream, StreamCall } from "./public-rpc.ts";
import { decodePosition, resumeToken } from "./resume-token.ts";

/** Page size: the memory held for a client that stops reading, except for one more event. */
const page = { limit: 100, bytes: 64 * 1024 };
/** Time allowed for a read in addition to its wait, and the maximum wait for new events. */
const readMs = 5_000;
const waitMsMax = 20_000;
const backoffMs = { initialDelay: 100, maxDelay: 2_000, generator: halfJitterGenerator };

/** Transient errors: notifications is restarting, its database is unreachable, or too many readers. */
const transient: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.ResourceExhausted]);

type Settings = Pick<GatewayConfig, "WATCH_HEARTBEAT_MS" | "WATCH_RETRY_MS">;

export function watchRpc(settings: Settings): PublicStream {
  return {
    kind: "stream",
    method: EventService.method.watch,
    // The cast is safe: `request` is the method's input.
    open: (request, call) => watch(settings, request as WatchRequest, call),
  };
}

async function* watch(
  { WATCH_HEARTBEAT_MS: heartbeatMs, WATCH_RETRY_MS: retryMs }: Settings,
  { types, start, resumeToken: token }: WatchRequest,
  call: StreamCall,
): AsyncGenerator<WatchResponse> {
  const { applicationId } = call.owner;
  const read = (after: bigint | undefined, waitMs: number) =>
    readPatiently(call, retryMs, { after, start, types, ...page, waitMs: Math.ceil(waitMs) });
  const heartbeat = (position: bigint) =>
    create(WatchResponseSchema, { resumeToken: resumeToken(applicationId, position) });

  const resumed = token === "" ? undefined : decodePosition(applicationId, token);
  let found = await read(resumed, 0);
  // Without a resume token, the stream starts at the position before its first event.
  yield heartbeat(resumed ?? (found.events[0] === undefined ? found.position : found.events[0].position - 1n));
  for (let sentMs = performance.now(); ; ) {
    for (const { position, message } of found.events) {
      countWatchedEvent({});
      yield create(WatchResponseSchema, {
        event: decodeMessage(EventSchema, message),
        resumeToken: resumeToken(applicationId, position),
      });
      sentMs = performance.now();
    }
    const dueMs = sentMs + heartbeatMs - performance.now();
    if (dueMs <= 0) {
      yield heartbeat(found.position);
      sentMs = performance.now();
    }
    found = await read(found.position, Math.min(dueMs <= 0 ? heartbeatMs : dueMs, waitMsMax));
  }
}

/** Reads a page; retries for a limited time while the log is unreadable. */
async function readPatiently(
  call: StreamCall,
  retryMs: number,
  request: MessageInitShape<typeof ReadEventsRequestSchema> & { readonly waitMs: number },
): Promise<ReadEventsResponse> {
  let untilMs = Number.POSITIVE_INFINITY;
  let backoff: IBackoff<unknown> | undefined;
  for (;;) {
    call.signal.throwIfAborted();
    try {
      return await call.call(EventLogService.method.readEvents, request, request.waitMs + readMs);
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof ConnectError && transient.has(error.code))) throw error;
      untilMs = Math.min(untilMs, performance.now() + retryMs);
      if (performance.now() >= untilMs)
        throw unavailable("Events are temporarily unavailable; resume the stream in a moment", error);
    }
    backoff = (backoff ?? new ExponentialBackoff(backoffMs)).next(undefined);
    await sleep(backoff.duration, undefined, { signal: call.signal }).catch(() => undefined);
  }
}
