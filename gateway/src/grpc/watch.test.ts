// Event watches on an in-memory log: messages sent, and pages read for them.

import { create, type Message, toBinary } from "@bufbuild/protobuf";
import { canceled, invalidField, unavailable } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EventSchema } from "@ems/proto/events/v1/event";
import { type ReadEventsRequest, ReadEventsResponseSchema } from "@ems/proto/notifications/v1/event_log_service";
import {
  type WatchRequest,
  WatchRequestSchema,
  type WatchResponse,
  WatchStart,
} from "@ems/proto/notifications/v1/event_service";
import { expect, test } from "vitest";
import type { StreamCall } from "./public-rpc.ts";
import { decodePosition, resumeToken } from "./resume-token.ts";
import { watchRpc } from "./watch.ts";

const applicationId = newId();

/** Fakes a log of `count` events; `fails` makes its reads fail. */
function fakeLog(count: number) {
  const state = {
    count,
    reads: [] as ReadEventsRequest[],
    fails: undefined as (() => Error) | undefined,
    changed: Promise.withResolvers<void>(),
    add() {
      state.count += 1;
      state.changed.resolve();
      state.changed = Promise.withResolvers();
    },
  };
  const stop = new AbortController();
  const call: StreamCall = {
    owner: { applicationId },
    signal: stop.signal,
    call: async (_method, message) => {
      const request = message as Message as ReadEventsRequest;
      state.reads.push(request);
      if (state.fails !== undefined) throw state.fails();
      const { after = request.start === WatchStart.EARLIEST ? 0n : BigInt(state.count), limit, waitMs } = request;
      const signalled = Promise.withResolvers<void>();
      stop.signal.addEventListener("abort", () => signalled.resolve());
      if (after >= state.count && waitMs > 0) {
        const timer = setTimeout(signalled.resolve, waitMs);
        await Promise.race([state.changed.promise, signalled.promise]);
        clearTimeout(timer);
      }
      if (stop.signal.aborted) throw canceled();
      const positions = Array.from(
        { length: Math.min(limit, state.count - Number(after)) },
        (_, index) => after + BigInt(index + 1),
      );
      const response = create(ReadEventsResponseSchema, {
        events: positions.map((position) => ({
          position,
          message: toBinary(EventSchema, create(EventSchema, { id: `event-${position}`, applicationId })),
        })),
        position: positions.at(-1) ?? after,
      });
      return response as Message as never;
    },
  };
  const watch = (request: Partial<WatchRequest> = {}, settings = {}) =>
    watchRpc({ WATCH_HEARTBEAT_MS: 10_000, WATCH_RETRY_MS: 1_000, ...settings })
      .open(create(WatchRequestSchema, request as WatchRequest), call)
      [Symbol.asyncIterator]();
  return { state, stop, watch };
}

const next = async (stream: AsyncIterator<Message>) => {
  const { value } = await stream.next();
  if (value === undefined) throw new Error("the stream has ended");
  return value as WatchResponse;
};
const position = ({ resumeToken: token }: WatchResponse) => decodePosition(applicationId, token);

test("the first message is a heartbeat with the start position, even when there are events", async () => {
  for (const [start, first, event] of [
    [WatchStart.NOW, 3n, "event-4"],
    [WatchStart.UNSPECIFIED, 3n, "event-4"],
    [WatchStart.EARLIEST, 0n, "event-1"],
  ] as const) {
    const { state, watch } = fakeLog(3);
    const stream = watch({ start });
    const heartbeat = await next(stream);
    expect([heartbeat.event, position(heartbeat)]).toEqual([undefined, first]);
    state.add();
    expect((await next(stream)).event?.id).toBe(event);
  }
});

test("a token, including a heartbeat's, resumes after its event", async () => {
  const { state, watch } = fakeLog(5);
  const stream = watch({ resumeToken: resumeToken(applicationId, 3n) });
  expect(position(await next(stream))).toBe(3n);
  const fourth = await next(stream);
  expect([fourth.event?.id, position(fourth)]).toEqual(["event-4", 4n]);
  const second = watch({ resumeToken: fourth.resumeToken, start: WatchStart.EARLIEST });
  await next(second);
  expect((await next(second)).event?.id).toBe("event-5");
  expect(state.reads.at(-1)?.after).toBe(4n);
});

test("another application's token is rejected with the field's name, and nothing is read", async () => {
  const { state, watch } = fakeLog(5);
  await expect(next(watch({ resumeToken: resumeToken(newId(), 3n) }))).rejects.toThrow("[invalid_argument]");
  expect(state.reads).toEqual([]);
});

test("nothing is read ahead for a client that reads nothing", async () => {
  const { state, watch } = fakeLog(250);
  const stream = watch({ start: WatchStart.EARLIEST });
  await next(stream);
  for (let read = 0; read < 100; read++) await next(stream);
  expect(state.reads).toHaveLength(1);
  await next(stream);
  expect(state.reads.map(({ after }) => after)).toEqual([undefined, 100n]);
});

test("a stream without events sends heartbeats", async () => {
  const { watch } = fakeLog(2);
  const stream = watch({}, { WATCH_HEARTBEAT_MS: 50 });
  const startedMs = performance.now();
  for (let count = 0; count < 4; count++) expect(position(await next(stream))).toBe(2n);
  expect(performance.now() - startedMs).toBeGreaterThan(140);
});

test("while the log is unreadable the stream waits, and ends only after a timeout; its token resumes", async () => {
  const { state, watch } = fakeLog(1);
  const stream = watch({ start: WatchStart.EARLIEST });
  await next(stream);
  const { resumeToken: token } = await next(stream);
  state.fails = () => unavailable();
  const waiting = next(stream);
  setTimeout(() => {
    state.fails = undefined;
    state.add();
  }, 300);
  expect((await waiting).event?.id).toBe("event-2");
  state.fails = () => unavailable();
  const unanswered = watch({ resumeToken: token });
  await expect(next(unanswered)).rejects.toThrow(
    "[unavailable] Events are temporarily unavailable; resume the stream in a moment",
  );
});

test("a permanent error ends the stream at once", async () => {
  const { state, watch } = fakeLog(1);
  state.fails = () => invalidField(["types", 0], "Unknown event type");
  await expect(next(watch({ types: ["nothing"] }))).rejects.toThrow("[invalid_argument]");
  expect(state.reads).toHaveLength(1);
});

test("a stream that is ended while it waits reports the reason", async () => {
  const { stop, watch } = fakeLog(1);
  const stream = watch();
  await next(stream);
  const waiting = next(stream);
  stop.abort(unavailable("The server restarts"));
  await expect(waiting).rejects.toThrow("The server restarts");
});
