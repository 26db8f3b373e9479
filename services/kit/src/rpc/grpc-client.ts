// The mesh's client side: a Connect transport over a grpc-js channel. grpc-js brings what a mesh needs (names resolved
// again, calls balanced over the addresses of a name, keep-alive pings, GOAWAY) and measures best over HTTP/2.

import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport, type UnaryResponse } from "@connectrpc/connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import grpc from "@grpc/grpc-js";
import { canceled, deadlineExceeded, unavailable, unimplemented } from "../errors.ts";
import { idempotencyKeyHeader, replayedHeader } from "./call.ts";
import { maxMessageBytes, statusDetails } from "./grpc-server.ts";

export interface GrpcTransport extends Transport {
  close(): void;
}

const serviceConfig = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });

/** A transport to `address` (`host:port`). `identity` are the headers that prove who calls (caller.ts). */
export function grpcTransport(address: string, identity: Record<string, string>): GrpcTransport {
  const client = new grpc.Client(`dns:///${address}`, grpc.credentials.createInsecure(), {
    "grpc.service_config": serviceConfig,
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
    "grpc.keepalive_time_ms": 10_000,
    "grpc.keepalive_timeout_ms": 5_000,
    "grpc.dns_min_time_between_resolutions_ms": 5_000,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 2_000,
    // A proxy from the environment is for the way out, not for the mesh.
    "grpc.enable_http_proxy": 0,
  });
  return {
    unary: (method, signal, timeoutMs, header, input) =>
      unary(client, identity, method, signal, timeoutMs, header, input),
    stream: () => Promise.reject(unimplemented("Streaming")),
    close: () => client.close(),
  };
}

function unary<I extends DescMessage, O extends DescMessage>(
  client: grpc.Client,
  identity: Record<string, string>,
  method: DescMethodUnary<I, O>,
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
  header: ConstructorParameters<typeof Headers>[0],
  input: MessageInitShape<I>,
): Promise<UnaryResponse<I, O>> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(canceled(signal.reason));
    const onAbort = () => call.cancel();
    const metadata = metadataOf(header, identity);
    const answerHeader = new Headers();
    const call = client.makeUnaryRequest<MessageShape<I>, MessageShape<O>>(
      `/${method.parent.typeName}/${method.name}`,
      (message) => Buffer.from(toBinary(method.input, message)),
      (buffer) => fromBinary(method.output, buffer),
      create(method.input, input),
      metadata,
      timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs },
      (error, message) => {
        signal?.removeEventListener("abort", onAbort);
        if (error !== null) return reject(errorOf(error, signal?.aborted === true));
        if (message === undefined) return reject(unavailable());
        resolve({
          stream: false,
          service: method.parent,
          method,
          message,
          header: answerHeader,
          trailer: new Headers(),
        });
      },
    );
    // The one thing that an answer may say beside its message, and only to who asked with a key.
    if (metadata.get(idempotencyKeyHeader).length > 0) {
      call.on("metadata", (answered) => {
        for (const value of answered.get(replayedHeader)) answerHeader.set(replayedHeader, String(value));
      });
    }
    signal?.addEventListener("abort", onAbort);
  });
}

function metadataOf(header: ConstructorParameters<typeof Headers>[0], identity: Record<string, string>): grpc.Metadata {
  const metadata = new grpc.Metadata();
  for (const name in identity) metadata.set(name, identity[name] ?? "");
  if (header === undefined) return metadata;
  const entries = Array.isArray(header) || header instanceof Headers ? header : Object.entries(header);
  for (const [name, value] of entries) if (name !== undefined && value !== undefined) metadata.set(name, value);
  return metadata;
}

/** Connect's codes are gRPC's, by number. */
const codes = new Map<number, Code>(
  Object.values(Code).flatMap((code) => (typeof code === "number" ? [[code, code] as const] : [])),
);

/** The callee's error as it was thrown there, details and all. */
function errorOf(error: grpc.ServiceError, weCanceled: boolean): ConnectError {
  // A process that dies under an open session resets its streams, and one that is out of time cancels them: for the
  // caller both are a process that is not there.
  const reset = error.code === grpc.status.INTERNAL && /RST_STREAM|REFUSED_STREAM|GOAWAY/.test(error.details);
  const cut = error.code === grpc.status.CANCELLED && !weCanceled;
  if (reset || cut || error.code === grpc.status.UNAVAILABLE) return unavailable(undefined, error);
  if (error.code === grpc.status.DEADLINE_EXCEEDED) return deadlineExceeded(error);
  const [details] = error.metadata.get(statusDetails);
  if (details !== undefined) {
    const trailer = new Headers({
      "grpc-status": String(error.code),
      [statusDetails]: Buffer.from(details).toString("base64"),
    });
    const detailed = findTrailerError(trailer);
    if (detailed !== undefined) return detailed;
  }
  return new ConnectError(error.details, codes.get(error.code) ?? Code.Unknown, undefined, undefined, error);
}
