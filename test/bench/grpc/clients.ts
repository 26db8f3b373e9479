// Clients that send one call again and again. The lean ones do nothing but the protocol, so that their cost does not hide the
// server's; the third is what users have.

import { Agent, request } from "node:http";
import type { ClientHttp2Session } from "node:http2";
import { type DescMethodUnary, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import grpc from "@grpc/grpc-js";
import { framed, openSession, rawCall } from "../../harness/raw-grpc.ts";
import type { Request } from "../measure.ts";

export interface Client {
  readonly name: string;
  /** Sends the call and waits for its answer; rejects when that is an error. */
  call(): Promise<void>;
  close(): void;
}

type Headers = Readonly<Record<string, string>>;

/** An RPC with the message that it gets. */
export interface Rpc {
  readonly method: DescMethodUnary;
  readonly message: Message;
}

/** More connections wait in a queue. */
const socketsMax = 64;

/** REST by node:http. */
export function restClient(name: string, baseUrl: string, { method, path, body }: Request, headers: Headers): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: socketsMax });
  const url = new URL(path, baseUrl);
  const call = () =>
    new Promise<void>((resolve, reject) => {
      const sending = request(url, { agent, method, headers }, (response) => {
        const { statusCode = 0 } = response;
        response.on("error", reject).resume();
        response.on("end", () => (statusCode < 300 ? resolve() : reject(new Error(`${method} ${url}: ${statusCode}`))));
      });
      sending.on("error", reject).end(body);
    });
  return { name, call, close: () => agent.destroy() };
}

/** gRPC by node:http2, on one connection. `headers` are asked for each call, since tokens expire. */
export function http2Client(name: string, address: string, { method, message }: Rpc, headers: () => Headers): Client {
  let session: ClientHttp2Session | undefined;
  // The server closes a connection that asks nothing for a while.
  const opened = () => {
    if (session === undefined || session.closed || session.destroyed) session = openSession(address);
    return session;
  };
  const path = pathOf(method);
  const frame = framed(toBinary(method.input, message));
  const call = async () => {
    const { stream, answer } = rawCall(opened(), path, headers());
    stream.end(frame);
    const { status, message: text } = await answer;
    if (status !== 0) throw new Error(`${path}: ${status} ${text}`);
  };
  return { name, call, close: () => session?.destroy() };
}

/** gRPC by grpc-js, which makes and reads messages, too. */
export function grpcJsClient(name: string, address: string, { method, message }: Rpc, headers: Headers): Client {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  const metadata = grpc.Metadata.fromHttp2Headers(headers);
  const path = pathOf(method);
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

function pathOf({ parent, name }: DescMethodUnary): string {
  return `/${parent.typeName}/${name}`;
}
