// Clients that send the same call repeatedly.

import { type DescMethodUnary, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import grpc from "@grpc/grpc-js";

export interface Client {
  readonly name: string;
  /** Sends the call and waits for its answer; rejects if the answer is an error. */
  call(): Promise<void>;
  close(): void;
}

export type Headers = Readonly<Record<string, string>>;

/** RPC and its request message. */
export interface Rpc {
  readonly method: DescMethodUnary;
  readonly message: Message;
}

/** A grpc-js client; its time includes encoding and decoding of messages. */
export function grpcJsClient(name: string, address: string, { method, message }: Rpc, headers: Headers): Client {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  const metadata = grpc.Metadata.fromHttp2Headers(headers);
  const path = getPath(method);
  const serialize = (value: Message) => Buffer.from(toBinary(method.input, value));
  const deserialize = (bytes: Buffer) => fromBinary(method.output, bytes);
  const call = () =>
    new Promise<void>((resolve, reject) => {
      const deadline = Date.now() + 20_000;
      client.makeUnaryRequest(path, serialize, deserialize, message, metadata, { deadline }, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  return { name, call, close: () => client.close() };
}

export function getPath({ parent, name }: DescMethodUnary): string {
  return `/${parent.typeName}/${name}`;
}
