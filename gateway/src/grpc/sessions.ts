// Limits of HTTP/2 connections: idle time, age, slow senders, slow readers, streams, windows.

import { constants, type Http2Server, type ServerHttp2Session, type ServerOptions } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import type { GatewayConfig } from "../config.ts";
import { httpLimits, sweepMs } from "../http/connections.ts";
import { SlowClientDetector } from "../http/slow-client.ts";
import { countRejection } from "../telemetry.ts";
import { CallQueue } from "./call-queue.ts";
import { ConnectionAge } from "./connection-age.ts";
import { findExemption, Http2Exchange } from "./exchange.ts";

/** Concurrent requests of a connection; further ones wait at the client. */
const streamsMax = 100;

/** Flow-control windows: bytes in flight per request and per connection. */
const windowBytes = { stream: 256 * 1024, session: 1024 * 1024 };

/** GOAWAY with the highest stream ID rejects no stream yet; clients read it a moment later. */
const streamIdMax = 2 ** 31 - 1;
const goawayMs = 100;

/** Detectors for responses, which have a minimum rate, and for long-lived streams. */
type Readers = Readonly<Record<"answer" | "stream", SlowClientDetector>>;

interface Session {
  readonly age: ConnectionAge;
  readonly exchanges: Map<Http2Exchange, { readonly startedMs: number; readonly readers: Readers }>;
  hasRequested: boolean;
  /** Start of the current idle period. */
  idleSinceMs: number;
}

export class Sessions {
  readonly #config: GatewayConfig;
  readonly #sessions = new Map<ServerHttp2Session, Session>();
  readonly #queue = new CallQueue<ServerHttp2Session>();
  readonly #sweep = setInterval(() => this.#closeOverdue(), sweepMs).unref();

  constructor(config: GatewayConfig) {
    this.#config = config;
  }

  readonly options: ServerOptions = {
    // Maximum headers in one block; larger blocks reset the stream.
    maxHeaderListPairs: 100,
    maxSessionMemory: 4,
    settings: {
      enablePush: false,
      maxConcurrentStreams: streamsMax,
      initialWindowSize: windowBytes.stream,
      maxHeaderListSize: httpLimits.headerBytes,
    },
  };

  /** Applies the limits to the sessions of `server`, and passes on their requests. */
  serve(server: Http2Server, handle: (exchange: Http2Exchange) => void): void {
    server.on("session", (session) => this.#add(session, handle));
    // Ignore the error: the connection was lost.
    server.on("sessionError", () => undefined);
  }

  #add(session: ServerHttp2Session, handle: (exchange: Http2Exchange) => void): void {
    const { ANSWER_STALL_MS: stallMs, ANSWER_BYTES_PER_SECOND_MIN: bytesPerSecondMin, STREAM_STALL_MS } = this.#config;
    const state: Session = {
      age: new ConnectionAge(this.#config),
      idleSinceMs: performance.now(),
      exchanges: new Map(),
      hasRequested: false,
    };
    this.#sessions.set(session, state);
    session.setLocalWindowSize(windowBytes.session);
    session.once("close", () => {
      this.#sessions.delete(session);
      this.#queue.drop(session);
    });
    session.on("stream", (stream, headers) => {
      state.hasRequested = true;
      const exchange = new Http2Exchange(stream, headers, state.age.draining);
      const readers = {
        answer: new SlowClientDetector({ stallMs, bytesPerSecondMin }),
        stream: new SlowClientDetector({ stallMs: STREAM_STALL_MS, bytesPerSecondMin: 0 }),
      };
      state.exchanges.set(exchange, { startedMs: performance.now(), readers });
      stream.once("close", () => {
        state.exchanges.delete(exchange);
        state.idleSinceMs = performance.now();
      });
      this.#queue.start(session, () => {
        // Skip requests that were reset while queued: their client is gone.
        if (!stream.closed && !stream.destroyed) handle(exchange);
      });
    });
  }

  #closeOverdue(): void {
    const nowMs = performance.now();
    for (const [session, state] of this.#sessions) {
      const { age, exchanges, hasRequested, idleSinceMs } = state;
      const idleMs = hasRequested ? this.#config.KEEP_ALIVE_MS : httpLimits.headersMs;
      if (exchanges.size === 0 && nowMs - idleSinceMs > idleMs) {
        countRejection({ reason: "idle" });
        // Sessions that have sent requests close gracefully; others are destroyed.
        if (hasRequested) session.close();
        else session.destroy();
      }
      const stage = age.reached(nowMs);
      if (stage === "old") void endGently(session, age);
      else if (stage === "over") session.destroy();
      for (const [exchange, { startedMs, readers }] of exchanges) {
        const exemption = findExemption(exchange);
        const isLate = exemption === undefined && !exchange.complete && nowMs - startedMs > httpLimits.requestMs;
        const reader = exemption === "request and answer" ? readers.stream : readers.answer;
        const reason = isLate ? "slow" : reader.sample(nowMs, exchange.progress);
        if (reason === undefined) continue;
        countRejection({ reason });
        if (reader === readers.stream) exchange.reset();
        else exchange.body.close(constants.NGHTTP2_CANCEL);
      }
    }
  }

  /** Refuses new requests, and closes each session when its requests have ended. */
  async drain(): Promise<void> {
    await Promise.all([...this.#sessions].map(([session, { age }]) => endGently(session, age)));
  }

  /** Disconnects all clients. */
  destroy(): void {
    for (const session of this.#sessions.keys()) session.destroy();
  }

  stop(): void {
    clearInterval(this.#sweep);
  }
}

/** Sends GOAWAY in two phases: closing at once would lose requests in flight. */
async function endGently(session: ServerHttp2Session, age: ConnectionAge): Promise<void> {
  if (!session.closed && !session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, streamIdMax);
  age.end();
  await sleep(goawayMs);
  session.close();
}
