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
import {
  canceled,
  deadlineExceeded,
  errorHeaders,
  isUnanswered,
  tooLarge,
  unanswered,
  unavailable,
  unimplemented,
} from "../errors.ts";
import { Addresses, channelTo, type Naming } from "./addresses.ts";
import { idempotencyKeyHeader, replayedHeader, tenantKey } from "./call.ts";
import { isSafe } from "./safe.ts";
import type { Authorize } from "./tokens/sign.ts";
import { answeredKey, maxMessageBytes, statusDetails } from "./wire.ts";

export interface GrpcTransport extends Transport {
  close(): void;
}

const serviceConfig = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });

/**
 * A transport to `address` (`host:port`, or several joined by commas; a host name may stand for several addresses). Calls
 * go round all of them. `authorize` makes the token that proves who calls.
 */
export function grpcTransport(address: string, authorize: Authorize, naming?: Naming): GrpcTransport {
  const addresses = new Addresses(address, naming);
  const { target, options } = channelTo(addresses);
  const client = new grpc.Client(target, grpc.credentials.createInsecure(), {
    ...options,
    "grpc.service_config": serviceConfig,
    "grpc.service_config_disable_resolution": 1,
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
    // Told within seven seconds, calls to a process that hangs end before their deadline of ten.
    "grpc.keepalive_time_ms": 5_000,
    "grpc.keepalive_timeout_ms": 2_000,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 500,
    // A proxy from the environment is for the way out, not for the mesh.
    "grpc.enable_http_proxy": 0,
  });
  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const untilMs = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
      const authorization = authorize(contextValues?.get(tenantKey));
      const metadata = metadataOf(header, typeof authorization === "string" ? authorization : await authorization);
      try {
        return await unary(client, addresses, metadata, method, signal, untilMs, input);
      } catch (error) {
        // What never left, or was refused unseen, grpc-js has sent elsewhere already. What may have been at work is sent
        // once more, and only when twice is as good as once.
        const isUnavailable = error instanceof ConnectError && error.code === Code.Unavailable;
        const isElsewhere = addresses.count > 1 || isUnanswered(error);
        const isKeyed = metadata.get(idempotencyKeyHeader).length > 0;
        if (!isUnavailable || !isElsewhere || !(isKeyed || isSafe(method))) throw error;
        if (untilMs !== undefined && untilMs <= Date.now()) throw error;
        return unary(client, addresses, metadata, method, signal, untilMs, input);
      }
    },
    stream: () => Promise.reject(unimplemented("Streaming")),
    close: () => client.close(),
  };
}

function unary<I extends DescMessage, O extends DescMessage>(
  client: grpc.Client,
  addresses: Addresses,
  metadata: grpc.Metadata,
  method: DescMethodUnary<I, O>,
  signal: AbortSignal | undefined,
  untilMs: number | undefined,
  input: MessageInitShape<I>,
): Promise<UnaryResponse<I, O>> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(canceled(signal.reason));
    const onAbort = () => call.cancel();
    const answerHeader = new Headers();
    const call = client.makeUnaryRequest<MessageShape<I>, MessageShape<O>>(
      `/${method.parent.typeName}/${method.name}`,
      (message) => Buffer.from(toBinary(method.input, message)),
      (buffer) => fromBinary(method.output, buffer),
      create(method.input, input),
      metadata,
      untilMs === undefined ? {} : { deadline: untilMs },
      (error, message) => {
        signal?.removeEventListener("abort", onAbort);
        if (error !== null) {
          const told = errorOf(error, signal?.aborted === true);
          if (told.code === Code.Unavailable) addresses.eject(call.getPeer());
          return reject(told);
        }
        if (message === undefined) return reject(unanswered());
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

function metadataOf(header: ConstructorParameters<typeof Headers>[0], authorization: string): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set("authorization", authorization);
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
  const isAnswered = error.metadata.get(answeredKey).length > 0;
  if (!isAnswered) {
    // A process that dies under an open session resets its streams, and one that is out of time cancels them: for the
    // caller both are a process that is not there. So is one that no connection led to within the time; a callee that
    // was first to see that the time is over does not say how long it was.
    const isReset = error.code === grpc.status.INTERNAL && /RST_STREAM|REFUSED_STREAM|GOAWAY/.test(error.details);
    const isCut = error.code === grpc.status.CANCELLED && !weCanceled;
    const isLate = error.code === grpc.status.DEADLINE_EXCEEDED;
    const isUnsent = isLate && /^Deadline exceeded after (?!.*remote_addr=)/.test(error.details);
    if (isReset || isCut || isUnsent || error.code === grpc.status.UNAVAILABLE) return unanswered(error);
    // grpc-js's own words are for programmers. A process of ours that answers says itself what is too large (response-size.ts).
    if (error.code === grpc.status.RESOURCE_EXHAUSTED) {
      return /larger than/.test(error.details)
        ? tooLarge(`The request is larger than ${maxMessageBytes / 1024 ** 2} MiB between services`)
        : unavailable("Too many requests at once", error);
    }
  }
  if (error.code === grpc.status.DEADLINE_EXCEEDED) return deadlineExceeded(error);
  const told = detailedError(error) ?? new ConnectError(error.details, codeOf(error), undefined, undefined, error);
  for (const name of errorHeaders) {
    const [value] = error.metadata.get(name);
    if (value !== undefined) told.metadata.set(name, String(value));
  }
  return told;
}

function detailedError(error: grpc.ServiceError): ConnectError | undefined {
  const [details] = error.metadata.get(statusDetails);
  if (details === undefined) return undefined;
  return findTrailerError(
    new Headers({
      "grpc-status": String(error.code),
      [statusDetails]: Buffer.from(details).toString("base64"),
    }),
  );
}

function codeOf({ code }: grpc.ServiceError): Code {
  return codes.get(code) ?? Code.Unknown;
}
