// gRPC calls without a client library, for what libraries refuse to send: any metadata, any bytes, any pace.

import http2, { type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";

export interface RawAnswer {
  /** `grpc-status`; undefined if the stream ended without one. */
  readonly status: number | undefined;
  readonly message: string;
  /** The message of the answer, without its frame. */
  readonly body: Buffer;
  readonly headers: http2.IncomingHttpHeaders;
  readonly trailers: http2.IncomingHttpHeaders;
}

/** A call whose request message is written by hand. */
export interface RawCall {
  readonly stream: ClientHttp2Stream;
  readonly answer: Promise<RawAnswer>;
}

/** A message in its frame; `length` may differ from the message's. */
export function framed(message: Uint8Array, length = message.length): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(length, 1);
  frame.set(message, 5);
  return frame;
}

/** Starts a call of `path` over `session`; an empty header is left out. */
export function rawCall(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}): RawCall {
  const own = { "content-type": "application/grpc+proto", te: "trailers", "grpc-timeout": "20S", ...headers };
  const sent = Object.entries(own).filter(([, value]) => value !== "");
  const stream = session.request({ ":method": "POST", ":path": path, ...Object.fromEntries(sent) });
  const answer = new Promise<RawAnswer>((resolve) => {
    const chunks: Buffer[] = [];
    let [headers, trailers]: http2.IncomingHttpHeaders[] = [{}, {}];
    stream.on("response", (received) => {
      headers = received;
    });
    stream.on("trailers", (received) => {
      trailers = received;
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", () => undefined);
    stream.on("close", () => {
      const metadata = { ...headers, ...trailers };
      const status = metadata["grpc-status"];
      resolve({
        status: status === undefined ? undefined : Number(status),
        message: decodeURIComponent(String(metadata["grpc-message"] ?? "")),
        body: Buffer.concat(chunks).subarray(5),
        headers: headers ?? {},
        trailers: trailers ?? {},
      });
    });
  });
  return { stream, answer };
}

/** A session to `address`; its end is no failure. */
export function openSession(address: string, settings: http2.Settings = {}): ClientHttp2Session {
  // Node's client gives up by default when 10 MB wait to be sent.
  const session = http2.connect(`http://${address}`, { maxSessionMemory: 1_000, settings });
  session.on("error", () => undefined);
  return session;
}
