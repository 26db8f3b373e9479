// The gRPC server on grpc-js: a call costs less than half of a call with connect-node's HTTP/2 server (measured with
// `npm run bench`).

import type { ServerHttp2Session } from "node:http2";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import grpc from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { monotonicMs } from "../clock.ts";
import { decodeMessage, encodeMessage } from "../codec.ts";
import { retryPushbackHeader } from "../error-details.ts";
import { canceled, deadlineExceeded, errorHeaders, internalError, malformedRequest } from "../errors.ts";
import { messageBytesMax } from "../limits/sizes.ts";
import { traceparentHeader } from "../telemetry/trace.ts";
import { type Admission, authenticateCall, getCaller } from "./authenticate-call.ts";
import { requestIdHeader } from "./call.ts";
import { limitAge, sendGoaway } from "./connection-age.ts";
import type { Endpoint } from "./endpoints.ts";
import { etagHeader, ifMatchHeader } from "./etag.ts";
import { answeredKey, challengeHeader, notRunHeader, refusedTimeHeader, statusDetailsKey } from "./grpc-metadata.ts";
import { statusBytes } from "./grpc-status.ts";
import { idempotencyKeyHeader, replayedHeader } from "./idempotency-key.ts";
import { IncomingRequest, LazySignal } from "./incoming-request.ts";
import { tenantHeaders } from "./platform/tenant-headers.ts";
import { answerTooLarge } from "./response-size.ts";

type Message = MessageShape<DescMessage>;

export interface GrpcServer {
  readonly server: grpc.Server;
  /** Sets the status in grpc.health.v1, for the process and each of its services. */
  setServing(serving: boolean): void;
  /** Asks callers to start no new calls on their sessions; calls that arrive before they know are still served. */
  sendGoaway(): void;
}

export function grpcServer(endpoints: readonly Endpoint[], admission: Admission, connectionAgeMs?: number): GrpcServer {
  const server = new grpc.Server({
    interceptors: [authenticateCall(admission, toStatus)],
    "grpc.max_receive_message_length": messageBytesMax,
    "grpc.max_send_message_length": messageBytesMax,
    "grpc.max_metadata_size": 16 * 1024,
    "grpc.max_concurrent_streams": concurrentStreamsMax,
    // Detects a lost caller within 40 s.
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
  });
  const services = Map.groupBy(endpoints, ({ service }) => service.typeName);
  for (const [, members] of services) {
    server.addService(
      Object.fromEntries(members.map((endpoint) => [endpoint.method.name, definition(endpoint)])),
      Object.fromEntries(members.map((endpoint) => [endpoint.method.name, createHandler(endpoint)])),
    );
  }
  const names = ["", ...services.keys()];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, "NOT_SERVING"])));
  health.addToServer(server);
  let isServing = false;
  const stopAging = connectionAgeMs === undefined ? undefined : limitAge(() => getSessions(server), connectionAgeMs);
  return {
    server,
    setServing: (serving) => {
      // Skip an unchanged status, which every watcher would receive again.
      if (serving === isServing) return;
      isServing = serving;
      for (const name of names) health.setStatus(name, serving ? "SERVING" : "NOT_SERVING");
    },
    sendGoaway: () => {
      stopAging?.();
      for (const session of getSessions(server)) sendGoaway(session);
    },
  };
}

/**
 * Maximum concurrent calls of one session: more than a gateway has in progress to one service, including calls that
 * wait for events.
 */
const concurrentStreamsMax = 2_000;

/** grpc-js has no public access to its sessions, and closes them without a first GOAWAY. */
function getSessions(server: grpc.Server): Iterable<ServerHttp2Session> {
  return (server as unknown as { sessions: Map<ServerHttp2Session, unknown> }).sessions.keys();
}

/** Defines an endpoint's method for grpc-js. The handler itself serializes responses, to check their size. */
function definition({ service, method }: Endpoint): grpc.MethodDefinition<Message | ConnectError, Buffer> {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: false,
    responseStream: false,
    // Used by clients only.
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: (buffer) => {
      try {
        return decodeMessage(method.input, buffer);
      } catch (error) {
        // Returned instead of thrown, because grpc-js would report an exception as INTERNAL.
        return malformedRequest([], `The message cannot be read: ${error instanceof Error ? error.message : error}`);
      }
    },
    responseSerialize: (response) => response,
    responseDeserialize: (response) => response,
  };
}

function createHandler(endpoint: Endpoint): grpc.handleUnaryCall<Message | ConnectError, Buffer> {
  const { output } = endpoint.method;
  return (call, callback) => {
    const { request: message } = call;
    if (message instanceof ConnectError) return callback(toStatus(message));
    const signal = new LazySignal();
    const deadline = call.getDeadline();
    // Converts the deadline from the wall clock, which grpc-js uses.
    const deadlineMs = Number(deadline) - Date.now() + monotonicMs();
    const hasDeadline = Number.isFinite(deadlineMs);
    let isAnswered = false;
    // Emitted at the end of every call: creating an error with a stack trace each time would be expensive.
    call.on("cancelled", () => {
      if (!isAnswered) signal.abort(hasDeadline && deadlineMs <= monotonicMs() ? deadlineExceeded() : canceled());
    });
    const caller = getCaller(call.metadata);
    const isPlatform = caller?.platform !== undefined;
    const request = new IncomingRequest(
      endpoint,
      caller,
      message,
      toHeaders(call.metadata, isPlatform ? platformKeys : forwardedKeys),
      hasDeadline ? deadlineMs : undefined,
      signal,
    );
    const responded = endpoint.invoke(request).then(({ message, header }) => {
      const response = encodeMessage(output, message);
      if (response.length > messageBytesMax) throw answerTooLarge(endpoint.method, message, messageBytesMax);
      return { response: bytes(response), header };
    });
    responded.then(
      ({ response, header }) => {
        isAnswered = true;
        if (isPlatform) {
          call.sendMetadata(toMetadata(header));
          return callback(null, response, metadataWith(requestIdHeader, header.get(requestIdHeader) ?? ""));
        }
        // Most responses have no headers, and iterating over them is expensive.
        if (header.has(replayedHeader) || header.has(etagHeader)) call.sendMetadata(toMetadata(header));
        callback(null, response);
      },
      (error: unknown) => {
        isAnswered = true;
        callback(toStatus(error instanceof ConnectError ? error : internalError(error)));
      },
    );
  };
}

/** Metadata that handlers and interceptors read. */
const forwardedKeys = [requestIdHeader, idempotencyKeyHeader, ifMatchHeader, traceparentHeader];

/** Metadata of a platform caller, including the headers with its tenant. */
const platformKeys = [...forwardedKeys, ...tenantHeaders];

function toHeaders(metadata: grpc.Metadata, names: readonly string[]): Headers {
  const headers = new Headers();
  for (const name of names) {
    const values = metadata.get(name);
    if (values.length > 0) headers.set(name, values.map(getText).join(", "));
  }
  return headers;
}

function getText(value: grpc.MetadataValue): string {
  return typeof value === "string" ? value : value.toString("base64");
}

function toMetadata(header: Headers): grpc.Metadata {
  const metadata = new grpc.Metadata();
  for (const [name, value] of header) metadata.set(name, value);
  return metadata;
}

function toStatus(error: ConnectError): grpc.StatusObject {
  const metadata = metadataWith(answeredKey, "true");
  if (error.details.length > 0) {
    metadata.set(statusDetailsKey, statusBytes(error));
  }
  for (const name of [
    ...errorHeaders,
    requestIdHeader,
    challengeHeader,
    refusedTimeHeader,
    notRunHeader,
    retryPushbackHeader,
  ]) {
    const value = error.metadata.get(name);
    if (value !== null) metadata.set(name, value);
  }
  return { code: Number(error.code), details: error.rawMessage, metadata };
}

function metadataWith(name: string, value: string): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set(name, value);
  return metadata;
}

function bytes(array: Uint8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
