// One request of the gRPC port and its answer, over HTTP/2 or HTTP/1.1.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import type { Readable, Writable } from "node:stream";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** HTTP/2 only: the other protocols have them in headers or body. */
  readonly trailers?: Readonly<Record<string, string>> | undefined;
}

export interface Exchange {
  readonly httpVersion: "1.1" | "2";
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The request's body. */
  readonly body: Readable;
  readonly request: { readonly complete: boolean };
  /** Emits `close` when the exchange has ended, with the answer sent or not. */
  readonly response: Writable;
  readonly socket: { readonly remoteAddress?: string | undefined };
  send(answer: Answer): void;
  /** Sends the parts of a body one by one, each when the client has read those before. */
  stream(answer: StreamedAnswer): Promise<void>;
  /** Ends the exchange although the client has not read all of its answer; over HTTP/2 it is told that it may try again. */
  reset(): void;
}

export interface StreamedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array> | undefined;
  /** Read when the body has ended. */
  readonly trailers: () => Readonly<Record<string, string>>;
}

const lasting = new WeakSet<Writable>();

/** The answer is a stream, which lasts: whoever makes it limits its time. */
export function markLasting({ response }: Exchange): void {
  lasting.add(response);
}

export function isLasting(response: Writable): boolean {
  return lasting.has(response);
}

/** Written one by one, so that a slow reader's progress shows. */
const chunkBytes = 64 * 1024;

/** The delay of the reset of a request that is still being sent: sent at once, it would overtake the answer. */
const resetDelayMs = 100;

export function http2Exchange(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Exchange {
  // A reset of the client.
  stream.on("error", () => undefined);
  const request = {
    get complete() {
      if (stream.readableEnded || stream.destroyed) return true;
      return stream.state.state === constants.NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE;
    },
  };
  return {
    httpVersion: "2",
    method: String(headers[":method"]),
    url: String(headers[":path"]),
    headers,
    body: stream,
    request,
    response: stream,
    socket: stream.session?.socket ?? {},
    send({ status, headers, body, trailers }) {
      if (stream.destroyed || stream.closed || stream.headersSent) return;
      if (!request.complete) {
        stream.once("finish", () => setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), resetDelayMs).unref());
      }
      const block = { ":status": status, ...headers };
      if (body === undefined) return stream.respond(block, { endStream: true });
      stream.respond(block, { waitForTrailers: trailers !== undefined });
      if (trailers !== undefined) stream.once("wantTrailers", () => stream.sendTrailers(trailers));
      write(stream, body);
    },
    async stream({ status, headers, body, trailers }) {
      if (stream.destroyed || stream.closed || stream.headersSent) return;
      stream.respond({ ":status": status, ...headers }, { waitForTrailers: true });
      stream.once("wantTrailers", () => stream.sendTrailers(trailers()));
      await writeAll(stream, body);
    },
    reset: () => stream.close(constants.NGHTTP2_REFUSED_STREAM),
  };
}

export function http1Exchange(request: IncomingMessage, response: ServerResponse): Exchange {
  return {
    httpVersion: "1.1",
    method: request.method ?? "",
    url: request.url ?? "",
    headers: request.headers,
    body: request,
    request,
    response,
    socket: request.socket,
    send({ status, headers, body }) {
      if (response.destroyed || response.headersSent) return;
      // What is left of a request that is refused is not read.
      const connection = request.complete ? {} : { connection: "close" };
      response.writeHead(status, { ...headers, ...connection, "content-length": body?.length ?? 0 });
      write(response, body ?? new Uint8Array());
    },
    async stream({ status, headers, body }) {
      if (response.destroyed || response.headersSent) return;
      response.writeHead(status, headers);
      await writeAll(response, body);
    },
    reset: () => void response.destroy(),
  };
}

async function writeAll(out: Writable, body: AsyncIterable<Uint8Array> = none()): Promise<void> {
  for await (const part of body) {
    if (out.destroyed) return;
    if (!out.write(part)) await drained(out);
  }
  out.end();
}

/** Resolves when the client has read what was written, or has gone away. */
function drained(out: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      out.off("drain", done).off("close", done);
      resolve();
    };
    out.on("drain", done).on("close", done);
  });
}

async function* none(): AsyncGenerator<Uint8Array> {}

function write(out: Writable, bytes: Uint8Array, start = 0): void {
  const end = start + chunkBytes;
  if (end >= bytes.length) return void out.end(bytes.subarray(start));
  out.write(bytes.subarray(start, end), () => {
    if (!out.destroyed) write(out, bytes, end);
  });
}
