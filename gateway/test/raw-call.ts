// gRPC without a client library: any metadata, any bytes.

import { once } from "node:events";
import http2, { type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import { onTestFinished } from "vitest";

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  /** Headers and trailers of the response. */
  readonly metadata: IncomingHttpHeaders;
  readonly payload: Buffer;
}

export function openSession(port: number, settings: http2.Settings = {}): ClientHttp2Session {
  const session = http2.connect(`http://127.0.0.1:${port}`, { settings });
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

/** Sends one message in a frame whose first byte is `flag`. */
export async function rawCall(
  session: ClientHttp2Session,
  path: string,
  message: Uint8Array,
  headers: Record<string, string>,
  flag = 0,
): Promise<RawAnswer> {
  const prefix = Buffer.from([flag, 0, 0, 0, 0]);
  prefix.writeUInt32BE(message.length, 1);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  let [answered, trailers]: IncomingHttpHeaders[] = [{}, {}];
  const chunks: Buffer[] = [];
  stream
    .on("response", (block) => {
      answered = block;
    })
    .on("trailers", (block) => {
      trailers = block;
    });
  stream.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => undefined);
  stream.end(Buffer.concat([prefix, message]));
  await once(stream, "close");
  const metadata = { ...answered, ...trailers };
  const payload = Buffer.concat(chunks).subarray(5);
  return {
    status: Number(metadata["grpc-status"]),
    headers: answered ?? {},
    trailers: trailers ?? {},
    metadata,
    payload,
  };
}
