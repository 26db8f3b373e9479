// Streams of the gRPC port in each protocol, with a fake event log: their limits and how they end.

import { once } from "node:events";
import { constants } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { failure, getReason } from "@ems/kit/errors";
import { EventSchema } from "@ems/proto/events/v1/event";
import { EventLogService } from "@ems/proto/notifications/v1/event_log_service";
import {
  EventService,
  WatchRequestSchema,
  type WatchResponse,
  WatchStart,
} from "@ems/proto/notifications/v1/event_service";
import { expect, test } from "vitest";
import { apiKey, credentials, openGateway } from "../../test/harness.ts";
import { openSession, rawCall } from "../../test/raw-call.ts";

const withKey: Interceptor = (next) => (request) => {
  request.header.set("authorization", `Bearer ${apiKey}`);
  return next(request);
};

/** Starts a gateway in front of an application whose log has exactly `events` events. */
async function gatewayWith(events: number, env: Record<string, string> = {}, textLength = 1) {
  const message = toBinary(
    EventSchema,
    create(EventSchema, { data: { case: "topicCreated", value: { title: "x".repeat(textLength) } } }),
  );
  const opened = await openGateway(
    (router) =>
      router.service(EventLogService, {
        async readEvents({ after = 0n, limit, waitMs }, { signal }) {
          if (after === 99n) throw failure("RESUME_TOKEN_EXPIRED", "too old");
          const positions = Array.from(
            { length: Math.min(limit, events - Number(after)) },
            (_, at) => after + BigInt(at + 1),
          );
          if (positions.length === 0 && waitMs > 0)
            await Promise.race([once(signal, "abort"), new Promise((resolve) => setTimeout(resolve, waitMs))]);
          return { events: positions.map((position) => ({ position, message })), position: positions.at(-1) ?? after };
        },
      }),
    env,
  );
  const options = { baseUrl: `http://127.0.0.1:${opened.port}`, interceptors: [withKey], httpVersion: "2" as const };
  const clients = {
    grpc: createClient(EventService, createGrpcTransport(options)),
    grpcWeb: createClient(EventService, createGrpcWebTransport(options)),
    connect: createClient(EventService, createConnectTransport({ ...options, useBinaryFormat: true })),
    json: createClient(EventService, createConnectTransport({ ...options, useBinaryFormat: false })),
  };
  return { ...opened, clients };
}

/** Returns the error that ends a stream. */
async function readEnd(
  stream: AsyncIterable<WatchResponse>,
  onMessage: () => void = () => undefined,
): Promise<ConnectError> {
  try {
    for await (const _ of stream) onMessage();
  } catch (error) {
    return ConnectError.from(error);
  }
  return expect.unreachable("the stream ends with an error");
}

const start = WatchStart.EARLIEST;
const watchPath = "/ems.notifications.v1.EventService/Watch";

test.each(["grpc", "grpcWeb", "connect", "json"] as const)(
  "%s: events arrive one by one, and resume by token",
  async (protocol) => {
    const { clients } = await gatewayWith(3);
    const stop = new AbortController();
    const tokens: string[] = [];
    let metadata = new Headers();
    const onHeader = (header: Headers) => {
      metadata = header;
    };
    const stream = clients[protocol].watch({ start }, { signal: stop.signal, onHeader });
    for await (const { event, resumeToken } of stream) {
      expect(event?.data.case).toBe(tokens.length === 0 ? undefined : "topicCreated");
      if (tokens.push(resumeToken) === 4) break;
    }
    expect(metadata.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(metadata.get("ratelimit")).toContain("key");
    expect(new Set(tokens).size).toBe(4);
    const rest = clients[protocol].watch({ resumeToken: tokens[2] ?? "" }, { signal: stop.signal });
    const seen: string[] = [];
    for await (const { resumeToken } of rest) if (seen.push(resumeToken) === 2) break;
    expect(seen).toEqual(tokens.slice(2));
    stop.abort();
  },
);

test("an error of the log reaches the client with its reason", async () => {
  const { clients } = await gatewayWith(99);
  const tokens: string[] = [];
  for await (const { resumeToken } of clients.grpc.watch({ start })) if (tokens.push(resumeToken) === 100) break;
  const error = await readEnd(clients.grpc.watch({ resumeToken: tokens[99] ?? "" }));
  expect([error.code, getReason(error)]).toEqual([Code.OutOfRange, "RESUME_TOKEN_EXPIRED"]);
});

test("streams are limited per application; a place is free once a stream ends", async () => {
  const { clients } = await gatewayWith(1, { STREAMS_PER_APPLICATION_MAX: "2" });
  const [first, second] = [new AbortController(), new AbortController()];
  for (const { signal } of [first, second]) await clients.grpc.watch({}, { signal })[Symbol.asyncIterator]().next();
  const error = await readEnd(clients.grpc.watch({}));
  expect([error.code, getReason(error)]).toEqual([Code.ResourceExhausted, "CONCURRENCY_LIMITED"]);
  expect(error.metadata.get("retry-after")).toBe("1");
  first.abort();
  await expect
    .poll(() =>
      clients.grpc
        .watch({}, { signal: second.signal })
        [Symbol.asyncIterator]()
        .next()
        .then(
          ({ done }) => done,
          () => true,
        ),
    )
    .toBe(false);
  second.abort();
});

test("a stream ends at its maximum age and when the process stops; its client is asked to resume", async () => {
  const old = await gatewayWith(1, { STREAM_AGE_MAX_MS: "300" });
  expect((await readEnd(old.clients.grpc.watch({}))).code).toBe(Code.Unavailable);
  const stopping = await gatewayWith(1);
  const error = await readEnd(stopping.clients.grpc.watch({}), () => void stopping.grpc.close(5_000));
  expect(error.code).toBe(Code.Unavailable);
});

test("unknown fields are rejected in JSON, and rules are checked", async () => {
  const { clients, port } = await gatewayWith(1);
  const json = { ...credentials, "content-type": "application/connect+json" };
  const answer = await rawCall(openSession(port), watchPath, Buffer.from('{"typos": []}'), json);
  expect(JSON.parse(answer.payload.toString()).error).toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining("typos"),
  });
  const error = await readEnd(clients.json.watch({ resumeToken: "x".repeat(101) }));
  expect(error.code).toBe(Code.InvalidArgument);
});

test.each([
  ["events", 200],
  ["only the first message, without events", 0],
])("a client that reads nothing of %s is disconnected, and may retry", async (_, events) => {
  const { port } = await gatewayWith(events, { STREAM_STALL_MS: "300" }, 50_000);
  const session = openSession(port, { initialWindowSize: events === 0 ? 0 : 65_535 });
  const body = toBinary(WatchRequestSchema, create(WatchRequestSchema, { start }));
  const prefix = Buffer.from([0, 0, 0, 0, body.length]);
  const stream = session.request({
    ":method": "POST",
    ":path": watchPath,
    "content-type": "application/grpc",
    te: "trailers",
    ...credentials,
  });
  stream.pause();
  stream.on("error", () => undefined);
  stream.end(Buffer.concat([prefix, body]));
  await new Promise((resolve) => stream.once("close", resolve));
  expect(stream.rstCode).toBe(constants.NGHTTP2_REFUSED_STREAM);
});
