// One request of the gRPC port and its response, over HTTP/2 or HTTP/1.1.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import type { Readable, Writable } from "node:stream";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Trailers over HTTP/2; other protocols put trailers into headers or body. */
  readonly trailers?: Readonly<Record<string, string>> | undefined;
}

export interface StreamedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array> | undefined;
  /** Available when the body has ended. */
  readonly trailers: () => Readonly<Record<string, string>>;
}

/** Outcome of a request, for metrics and the log. */
export interface Outcome {
  readonly requestId: string;
  /** HTTP status. */
  status: number;
  /** gRPC code. */
  code: string;
  /** Time of a stream's first message. */
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
  /** Emits `close` when the exchange has ended, with or without a response. */
  readonly response: Writable;
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** Aborted when the connection is to end. */
  readonly draining: AbortSignal;
  /** Headers of every response, including errors. */
  readonly answerHeaders: Record<string, string>;
  send(answer: Answer): void;
  /** Sends the parts of a body one by one, each after the client has read the previous ones. */
  stream(answer: StreamedAnswer): Promise<void>;
  /**
   * Ends the exchange although the client has not read the whole response. Over HTTP/2 the client learns that it may
   * retry.
   */
  reset(): void;
}

/**
 * Time limits that do not apply to a long-lived stream: the request's, or also the response's, which `STREAM_STALL_MS`
 * then replaces.
 */
export type Exemption = "request" | "request and answer";
const lasting = new WeakMap<Writable, Exemption>();

/** Marks the response as a long-lived stream. The code that creates the stream limits its duration. */
export function markLasting({ response }: Exchange, spared: Exemption): void {
  lasting.set(response, spared);
}

export function findExemption({ response }: Exchange): Exemption | undefined {
  return lasting.get(response);
}

/** Chunks are written one by one, so that a slow reader's progress is visible. */
const chunkBytes = 64 * 1024;

/** Delay before resetting a request that is still being sent: an immediate reset would overtake the response. */
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
    // Ignore the error: the client reset the stream.
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

  /** Response bytes accepted by the connection, and bytes waiting for the client. */
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
    // A client that keeps sending would hold the exchange open although it has received its response.
    if (!this.complete) this.#closeUnread();
  }

  /** Discards the rest of a request after the response. */
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

/** Resolves when the client has read everything written, or has disconnected. */
function drained(out: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      out.off("drain", done).off("close", done);
      resolve();
    };
    out.on("drain", done).on("close", done);
  });
}
