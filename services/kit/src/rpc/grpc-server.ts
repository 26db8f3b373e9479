// Standard gRPC over HTTP/2 for the endpoints of a service, by grpc-js: per call it costs less than half of what
// connect-node's HTTP/2 server costs (toolchain measurements; `npm run bench` shows the whole).

import { constants, type ServerHttp2Session } from "node:http2";
import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import grpc from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { canceled, deadlineExceeded, errorHeaders, internalError } from "../errors.ts";
import { traceparentHeader } from "../telemetry/trace.ts";
import { admission, callerOf, type Gate } from "./admission.ts";
import { replayedHeader } from "./call.ts";
import type { Endpoint } from "./dispatch.ts";
import { IncomingRequest } from "./request.ts";
import { responseTooLarge } from "./response-size.ts";
import { LazySignal } from "./signal.ts";
import { answeredKey, maxMessageBytes, statusDetails } from "./wire.ts";

type Message = MessageShape<DescMessage>;

export interface GrpcServer {
  readonly server: grpc.Server;
  /** What grpc.health.v1 answers, for the process and for each of its services. */
  setServing(serving: boolean): void;
  /** Asks all callers to begin nothing more over their sessions; what they send until they hear it is still answered. */
  sendGoaway(): void;
}

export function grpcServer(endpoints: readonly Endpoint[], gate: Gate): GrpcServer {
  const server = new grpc.Server({
    interceptors: [admission(gate, statusOf)],
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
    "grpc.max_metadata_size": 16 * 1024,
    "grpc.max_concurrent_streams": streamsMax,
    // A caller that is lost without a word is noticed in 40 s.
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
  });
  const services = Map.groupBy(endpoints, ({ service }) => service.typeName);
  for (const [, members] of services) {
    server.addService(
      Object.fromEntries(members.map((endpoint) => [endpoint.method.name, definition(endpoint)])),
      Object.fromEntries(members.map((endpoint) => [endpoint.method.name, answering(endpoint)])),
    );
  }
  const names = ["", ...services.keys()];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, "NOT_SERVING"])));
  health.addToServer(server);
  return {
    server,
    setServing: (serving) => {
      for (const name of names) health.setStatus(name, serving ? "SERVING" : "NOT_SERVING");
    },
    sendGoaway: () => {
      for (const session of sessionsOf(server)) {
        if (!session.closed && !session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, streamIdMax);
      }
    },
  };
}

/** Calls at one time over one session: more than a gateway has at work in one service. */
const streamsMax = 500;

/** GOAWAY with it refuses no stream yet. */
const streamIdMax = 2 ** 31 - 1;

/** The open sessions. grpc-js tells them by no method of its own, and can close them only in one step. */
function sessionsOf(server: grpc.Server): Iterable<ServerHttp2Session> {
  return (server as unknown as { sessions: Map<ServerHttp2Session, unknown> }).sessions.keys();
}

/** Answers are packed by their endpoints, which see how large they are. */
function definition({ service, method }: Endpoint): grpc.MethodDefinition<Message, Buffer> {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (message) => bytes(toBinary(method.input, message)),
    requestDeserialize: (buffer) => fromBinary(method.input, buffer),
    responseSerialize: (packed) => packed,
    responseDeserialize: (packed) => packed,
  };
}

function answering(endpoint: Endpoint): grpc.handleUnaryCall<Message, Buffer> {
  const { input, output } = endpoint.method;
  return (call, callback) => {
    const signal = new LazySignal();
    const deadline = call.getDeadline();
    const deadlineMs = Number(deadline);
    const hasDeadline = Number.isFinite(deadlineMs);
    call.on("cancelled", () => signal.abort(hasDeadline && deadlineMs <= Date.now() ? deadlineExceeded() : canceled()));
    const request = new IncomingRequest(
      endpoint,
      callerOf(call.metadata),
      call.request,
      headersOf(call.metadata),
      hasDeadline ? deadlineMs : undefined,
      signal,
    );
    const packed = endpoint.invoke(request).then(({ message, header }) => {
      const answer = toBinary(output, message);
      if (answer.length > maxMessageBytes) throw responseTooLarge(input, output, message);
      return { answer: bytes(answer), header };
    });
    packed.then(
      ({ answer, header }) => {
        const replayed = header.get(replayedHeader);
        if (replayed !== null) call.sendMetadata(metadataWith(replayedHeader, replayed));
        callback(null, answer);
      },
      (error: unknown) => callback(statusOf(error instanceof ConnectError ? error : internalError(error))),
    );
  };
}

/** The mesh's own metadata and the trace context; what other protocols' clients add is not for handlers. */
function headersOf(metadata: grpc.Metadata): Headers {
  const headers = new Headers();
  const values = metadata.getMap();
  for (const name in values) {
    const value = values[name];
    if ((name.startsWith("ems-") || name === traceparentHeader) && typeof value === "string") headers.set(name, value);
  }
  return headers;
}

function statusOf(error: ConnectError): grpc.StatusObject {
  const metadata = metadataWith(answeredKey, "true");
  if (error.details.length > 0) {
    const trailer = new Headers();
    setTrailerStatus(trailer, error);
    metadata.set(statusDetails, Buffer.from(trailer.get(statusDetails) ?? "", "base64"));
  }
  for (const name of errorHeaders) {
    const value = error.metadata.get(name);
    if (value !== null) metadata.set(name, value);
  }
  // Connect's codes are gRPC's. grpc-js throws on half a surrogate pair, such as a message that was cut may end in.
  return { code: Number(error.code), details: error.rawMessage.toWellFormed(), metadata };
}

function metadataWith(name: string, value: string): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set(name, value);
  return metadata;
}

function bytes(array: Uint8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
