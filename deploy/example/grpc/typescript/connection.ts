// Connects to the gRPC port: TLS, API key, retries, load balancing and keepalive.

import { readFileSync } from "node:fs";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import grpc from "@grpc/grpc-js";

// Retries reads and writes, which is safe because each write has an idempotency key. If the server sends a delay
// (grpc-retry-pushback-ms, sent with RetryInfo), that delay replaces the backoff.
const serviceConfig = {
  loadBalancingConfig: [{ round_robin: {} }],
  methodConfig: [
    {
      name: [{ service: "ems.notifications.v1.EventService", method: "Watch" }],
    },
    {
      name: [{}],
      retryPolicy: {
        maxAttempts: 5,
        initialBackoff: "0.2s",
        maxBackoff: "5s",
        backoffMultiplier: 2,
        retryableStatusCodes: ["UNAVAILABLE", "RESOURCE_EXHAUSTED"],
      },
    },
  ],
};

const { EMS_GRPC = "", EMS_API_KEY = "", EMS_CA_FILE, EMS_TLS } = process.env;

const isTls = EMS_CA_FILE !== undefined || EMS_TLS !== undefined;
/** URL for OpenTelemetry's exporter. `EMS_GRPC` is host:port, or dns:///name:port for a headless service. */
export const otlpUrl = `${isTls ? "https" : "http"}://${EMS_GRPC.replace("dns:///", "")}`;
export const metadata = { authorization: `Bearer ${EMS_API_KEY}` };

export function credentials(): grpc.ChannelCredentials {
  if (EMS_CA_FILE !== undefined) return grpc.credentials.createSsl(readFileSync(EMS_CA_FILE));
  return isTls ? grpc.credentials.createSsl() : grpc.credentials.createInsecure();
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Connection to the gRPC port, one per process. It balances calls over all addresses behind the host name. */
export class Connection {
  readonly #client = new grpc.Client(EMS_GRPC, credentials(), {
    "grpc.service_config": JSON.stringify(serviceConfig),
    // Detect a server that is gone without closing the connection.
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
  });

  /** Calls a method such as `TopicService.method.createTopic`. `headers` receives the response headers. */
  call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { headers = {}, timeoutMs = 20_000 }: CallOptions = {},
    onHeaders: (headers: grpc.Metadata) => void = () => undefined,
  ): Promise<MessageShape<O>> {
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        getPath(method),
        (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
        (bytes) => fromBinary(method.output, bytes),
        create(method.input, request),
        buildMetadata(headers),
        { deadline: Date.now() + timeoutMs },
        (error, answer) => (answer === undefined ? reject(error) : resolve(answer)),
      );
      call.on("metadata", onHeaders);
    });
  }

  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
  ): grpc.ClientReadableStream<MessageShape<O>> {
    return this.#client.makeServerStreamRequest(
      getPath(method),
      (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
      (bytes) => fromBinary(method.output, bytes),
      create(method.input, request),
      buildMetadata({}),
    );
  }

  close(): void {
    this.#client.close();
  }
}

const getPath = ({ parent, name }: DescMethod) => `/${parent.typeName}/${name}`;

function buildMetadata(headers: Readonly<Record<string, string>>): grpc.Metadata {
  const all = new grpc.Metadata();
  for (const [name, value] of Object.entries({ ...metadata, ...headers })) all.set(name, value);
  return all;
}
