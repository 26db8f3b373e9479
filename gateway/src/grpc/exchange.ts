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

export interface StreamedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array> | undefined;
  /** Read when the body has ended. */
  readonly trailers: () => Readonly<Record<string, string>>;
}

/** Outcome of a request, for metrics and the log. */
export interface Outcome {
  readonly requestId: string;
  /** As HTTP counts it. */
  status: number;
  /** As gRPC names it. */
  code: string;
  /** When the first message of a stream was sent. */
  answeredMs?: number;
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
  /** Aborted when the connection is to end. */
  readonly draining: AbortSignal;
  /** Headers of the answer, whatever it is. */
  readonly answerHeaders: Record<string, string>;
  send(answer: Answer): void;
  /** Sends the parts of a body one by one, each when the client has read those before. */
  stream(answer: StreamedAnswer): Promise<void>;
  /** Ends the exchange although the client has not read all of its answer; over HTTP/2 it is told that it may try again. */
  reset(): void;
}

/** What a stream that lasts is spared: the limit of its request's time, or also those of an answer: `STREAM_STALL_MS` holds. */
export type Spared = "request" | "request and answer";
const lasting = new WeakMap<Writable, Spared>();

/** The answer is a stream, which lasts: whoever makes it limits its time. */
export function markLasting({ response }: Exchange, spared: Spared): void {
  lasting.set(response, spared);
}

export function sparedOf({ response }: Exchange): Spared | undefined {
  return lasting.get(response);
}

/** Written one by one, so that a slow reader's progress shows. */
const chunkBytes = 64 * 1024;

/** The delay of the reset of a request that is still being sent: sent at once, it would overtake the answer. */
const resetDelayMs = 100;

export class Http2Exchange implements Exchange {
  readonly httpVersion = "2";
  readonly headers: IncomingHttpHeaders;
  readonly answerHeaders: Record<string, string> = {};
  readonly draining: AbortSignal;
  readonly #stream: ServerHttp2Stream;
  #written = 0;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, draining: AbortSignal) {
    this.#stream = stream;
    this.headers = headers;
    this.draining = draining;
    // A reset of the client.
    stream.on("error", () => undefined);
  }

  get method() {
    return String(this.headers[":method"]);
  }

  get url() {
    return String(this.headers[":path"]);
  }

  get body() {
    return this.#stream;
  }

  get response() {
    return this.#stream;
  }

  get socket() {
    return this.#stream.session?.socket ?? {};
  }

  get request() {
    return this;
  }

  get complete() {
    const stream = this.#stream;
    if (stream.readableEnded || stream.destroyed) return true;
    return stream.state.state === constants.NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE;
  }

  /** Bytes of the answer that the connection has taken, and that wait for the client. */
  get progress(): { sent: number; pending: number } {
    const pending = this.#stream.writableLength;
    return { sent: this.#written - pending, pending };
  }

  send({ status, headers, body, trailers }: Answer): void {
    const stream = this.#stream;
    if (this.#isOver()) return;
    if (!this.complete) this.#closeUnread();
    const block = { ":status": status, ...this.answerHeaders, ...headers };
    if (body === undefined) return void stream.respond(block, { endStream: true });
    stream.respond(block, { waitForTrailers: trailers !== undefined });
    if (trailers !== undefined) stream.once("wantTrailers", () => stream.sendTrailers(trailers));
    writeChunks(stream, body, (bytes) => {
      this.#written += bytes;
    });
  }

  async stream({ status, headers, body, trailers }: StreamedAnswer): Promise<void> {
    const stream = this.#stream;
    if (this.#isOver()) return;
    stream.respond({ ":status": status, ...this.answerHeaders, ...headers }, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers(trailers()));
    await writeParts(stream, body, (bytes) => {
      this.#written += bytes;
    });
    // A client that goes on sending would keep what is answered open.
    if (!this.complete) this.#closeUnread();
  }

  /** What is left of a request is not read once it is answered. */
  #closeUnread(): void {
    const close = () => setTimeout(() => this.#stream.close(constants.NGHTTP2_NO_ERROR), resetDelayMs).unref();
    if (this.#stream.writableFinished) close();
    else this.#stream.once("finish", close);
  }

  reset(): void {
    this.#stream.close(constants.NGHTTP2_REFUSED_STREAM);
  }

  #isOver(): boolean {
    return this.#stream.destroyed || this.#stream.closed || this.#stream.headersSent;
  }
}

export function http1Exchange(request: IncomingMessage, response: ServerResponse, draining: AbortSignal): Exchange {
  const connection = () => (draining.aborted ? { connection: "close" } : {});
  const answerHeaders: Record<string, string> = {};
  const isOver = () => response.destroyed || response.headersSent;
  return {
    httpVersion: "1.1",
    method: request.method ?? "",
    url: request.url ?? "",
    headers: request.headers,
    body: request,
    request,
    response,
    socket: request.socket,
    draining,
    answerHeaders,
    send({ status, headers, body }) {
      if (isOver()) return;
      const length = { "content-length": body?.length ?? 0 };
      response.writeHead(status, { ...answerHeaders, ...headers, ...connection(), ...length });
      writeChunks(response, body ?? new Uint8Array());
    },
    async stream({ status, headers, body }) {
      if (isOver()) return;
      response.writeHead(status, { ...answerHeaders, ...headers, ...connection() });
      await writeParts(response, body);
    },
    reset: () => void response.destroy(),
  };
}

function writeChunks(out: Writable, bytes: Uint8Array, onWrite: (bytes: number) => void = () => {}, start = 0): void {
  const chunk = bytes.subarray(start, start + chunkBytes);
  const end = start + chunk.length;
  onWrite(chunk.length);
  if (end >= bytes.length) return void out.end(chunk);
  out.write(chunk, () => {
    if (!out.destroyed) writeChunks(out, bytes, onWrite, end);
  });
}

async function writeParts(
  out: Writable,
  body: AsyncIterable<Uint8Array> = none(),
  onWrite: (bytes: number) => void = () => {},
): Promise<void> {
  for await (const part of body) {
    if (out.destroyed) return;
    onWrite(part.length);
    if (!out.write(part)) await drained(out);
  }
  out.end();
}

async function* none(): AsyncGenerator<Uint8Array> {}

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
