// A gRPC client as another company would write it: grpc-js, with messages and services from server reflection.

import grpc from "@grpc/grpc-js";
import { reflect, serviceConstructors } from "./reflection.ts";

export interface Destination {
  readonly grpcUrl: string;
  readonly apiKey: string;
  /** Certificate authority of the server, for an https address. */
  readonly ca?: Buffer;
}

// biome-ignore lint/suspicious/noExplicitAny: a foreign client knows our messages by their names only
export type Foreign = any;

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
  /** Called with the call itself, so that a test can cancel it. */
  readonly started?: (call: grpc.ClientUnaryCall) => void;
}

export interface Answered {
  readonly message: Foreign;
  readonly headers: grpc.Metadata;
  readonly trailers: grpc.Metadata;
}

export class ForeignClient {
  readonly #services: ReadonlyMap<string, grpc.Client>;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(services: ReadonlyMap<string, grpc.Client>, headers: Readonly<Record<string, string>>) {
    this.#services = services;
    this.#headers = headers;
  }

  /** Connects with the key as a bearer token unless `headers` say otherwise. */
  static async open(
    { grpcUrl, apiKey, ca }: Destination,
    headers: Readonly<Record<string, string>> = { authorization: `Bearer ${apiKey}` },
    options: grpc.ChannelOptions = {},
  ): Promise<ForeignClient> {
    const { host, protocol } = new URL(grpcUrl);
    const isTls = protocol === "https:";
    // TLS requires a server name, which an IP address is not.
    const tls: grpc.ChannelOptions = isTls ? { "grpc.ssl_target_name_override": "localhost" } : {};
    const credentials = isTls ? grpc.credentials.createSsl(ca ?? null) : grpc.credentials.createInsecure();
    const { names, set } = await reflect(host, credentials, buildMetadata(headers), tls);
    const services = [...serviceConstructors(names, set)].map(
      ([name, Client]) => [name, new Client(host, credentials, Object.assign({}, options, tls))] as const,
    );
    return new ForeignClient(new Map(services), headers);
  }

  /** Returns a client of the same services with other credentials. */
  as(headers: Readonly<Record<string, string>>): ForeignClient {
    return new ForeignClient(this.#services, headers);
  }

  names(): string[] {
    return [...this.#services.keys()];
  }

  /** Calls `ems.catalog.v1.TopicService/GetTopic`; throws grpc-js's ServiceError. */
  call(rpc: string, request: object = {}, options: CallOptions = {}): Promise<Answered> {
    const { headers = {}, deadlineMs = 20_000, started } = options;
    const { client, method } = this.#method(rpc);
    return new Promise((resolve, reject) => {
      let initial = new grpc.Metadata();
      let answer: Foreign;
      const call: grpc.ClientUnaryCall = method.call(
        client,
        request,
        buildMetadata({ ...this.#headers, ...headers }),
        { deadline: Date.now() + deadlineMs },
        (error: grpc.ServiceError | null, message: Foreign) => {
          if (error) reject(Object.assign(error, { headers: initial }));
          else answer = message;
        },
      );
      call.on("metadata", (metadata: grpc.Metadata) => {
        initial = metadata;
      });
      call.on("status", (status: grpc.StatusObject) => {
        if (status.code === grpc.status.OK) {
          // The message's callback comes before the status or right after it.
          setImmediate(() => resolve({ message: answer, headers: initial, trailers: status.metadata }));
        }
      });
      started?.(call);
    });
  }

  /** Makes a call; returns only the message of the answer. */
  async answer(rpc: string, request: object = {}, options: CallOptions = {}): Promise<Foreign> {
    return (await this.call(rpc, request, options)).message;
  }

  /** Makes a call that must fail; returns its error. */
  async failure(rpc: string, request: object = {}, options: CallOptions = {}): Promise<Foreign> {
    const thrown = await this.call(rpc, request, options).then(
      ({ message }) => new Error(`${rpc} answered ${JSON.stringify(message)}`),
      (error) => error,
    );
    if (thrown.code === undefined) throw thrown;
    return thrown;
  }

  /** Opens a server-streaming call. */
  stream(rpc: string, request: object, headers: Readonly<Record<string, string>> = {}) {
    const { client, method } = this.#method(rpc);
    return method.call(
      client,
      request,
      buildMetadata({ ...this.#headers, ...headers }),
    ) as grpc.ClientReadableStream<Foreign>;
  }

  close(): void {
    for (const client of this.#services.values()) client.close();
  }

  #method(rpc: string) {
    const [service = "", name = ""] = rpc.split("/");
    const client: Foreign = this.#services.get(service);
    if (client?.[name] === undefined) throw new Error(`reflection shows no ${rpc}`);
    return { client, method: client[name] };
  }
}

export function buildMetadata(headers: Readonly<Record<string, string>>): grpc.Metadata {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}
