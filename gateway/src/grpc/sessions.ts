// Limits of HTTP/2 connections: their number in all and by address, silence, slow senders, slow readers, streams, windows.

import {
  constants,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from "node:http2";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { GatewayConfig } from "../config.ts";
import { AddressLimit } from "../http/address-limit.ts";
import { httpLimits, sweepMs } from "../http/connections.ts";
import { countRejection } from "../telemetry.ts";
import { isLasting } from "./exchange.ts";

/** Concurrent requests of a connection: more wait at the client. */
const streamsMax = 100;

/** What a client may send before the server has taken it: of one request, and of a connection. */
const windowBytes = { stream: 256 * 1024, session: 1024 * 1024 };

/** GOAWAY with the highest stream id refuses no stream yet; clients have read it after a moment. */
const streamIdMax = 2 ** 31 - 1;
const goawayMs = 100;

interface Session {
  readonly openedMs: number;
  readonly streams: Map<ServerHttp2Stream, number>;
  /** Since when there is no stream. */
  idleSinceMs: number;
  hasRequested: boolean;
}

export class Sessions {
  readonly #config: GatewayConfig;
  readonly #addresses: AddressLimit;
  readonly #silent = new Map<Socket, number>();
  readonly #sessions = new Map<ServerHttp2Session, Session>();
  readonly #sweep = setInterval(() => this.#closeOverdue(), sweepMs).unref();

  constructor(config: GatewayConfig) {
    this.#config = config;
    this.#addresses = new AddressLimit(config);
  }

  readonly options: ServerOptions = {
    // Sent in one header block; more is refused by resetting the stream.
    maxHeaderListPairs: 100,
    maxSessionMemory: 4,
    settings: {
      enablePush: false,
      maxConcurrentStreams: streamsMax,
      initialWindowSize: windowBytes.stream,
      maxHeaderListSize: httpLimits.headerBytes,
    },
  };

  limit(server: Http2Server): void {
    server.maxConnections = this.#config.CONNECTIONS_MAX;
    server.on("drop", () => countRejection({ reason: "connections" }));
    server.on("connection", (socket: Socket) => {
      if (!this.#addresses.accept(socket)) {
        countRejection({ reason: "connections_of_address" });
        return void socket.destroy();
      }
      this.#silent.set(socket, performance.now());
      socket.once("close", () => this.#silent.delete(socket));
    });
    server.on("session", (session) => this.#add(session));
    // A connection that is not HTTP/2, or is lost.
    server.on("sessionError", () => undefined);
  }

  #add(session: ServerHttp2Session): void {
    const nowMs = performance.now();
    const state: Session = { openedMs: nowMs, idleSinceMs: nowMs, streams: new Map(), hasRequested: false };
    this.#sessions.set(session, state);
    session.setLocalWindowSize(windowBytes.session);
    session.once("close", () => this.#sessions.delete(session));
    session.on("stream", (stream) => {
      state.hasRequested = true;
      state.streams.set(stream, performance.now());
      stream.once("close", () => {
        state.streams.delete(stream);
        state.idleSinceMs = performance.now();
      });
    });
  }

  #closeOverdue(): void {
    const nowMs = performance.now();
    for (const [session, state] of this.#sessions) {
      const idleMs = state.hasRequested ? this.#config.KEEP_ALIVE_MS : httpLimits.headersMs;
      if (state.streams.size === 0 && nowMs - state.idleSinceMs > idleMs) {
        countRejection({ reason: "idle" });
        this.#end(session, state);
      }
      for (const [stream, startedMs] of state.streams) {
        const reason = this.#overdue(stream, nowMs - startedMs);
        if (reason === undefined) continue;
        countRejection({ reason });
        stream.close(constants.NGHTTP2_CANCEL);
      }
    }
  }

  /** A session that has asked for something is asked to end; one that never did ends. */
  #end(session: ServerHttp2Session, { hasRequested }: Session): void {
    if (hasRequested) session.close();
    else session.destroy();
  }

  #overdue(stream: ServerHttp2Stream, ageMs: number): "slow" | "stalled" | undefined {
    if (!stream.readableEnded) return ageMs > httpLimits.requestMs ? "slow" : undefined;
    if (isLasting(stream)) return undefined;
    // Answers are small: one that is unread for so long stays unread.
    const lifeMs = httpLimits.requestMs + this.#config.DEADLINE_MS + this.#config.ANSWER_STALL_MS;
    return ageMs > lifeMs ? "stalled" : undefined;
  }

  /** Tells clients to begin no requests, and closes each session when its requests have ended. */
  async drain(): Promise<void> {
    for (const session of this.#sessions.keys()) {
      if (!session.closed && !session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, streamIdMax);
    }
    await sleep(goawayMs);
    for (const session of this.#sessions.keys()) session.close();
    for (const socket of this.#silent.keys()) if (!this.#hasSession(socket)) socket.destroy();
  }

  #hasSession(socket: Socket): boolean {
    return [...this.#sessions.keys()].some((session) => session.socket?.remotePort === socket.remotePort);
  }

  /** Disconnects all. */
  destroy(): void {
    for (const session of this.#sessions.keys()) session.destroy();
  }

  stop(): void {
    clearInterval(this.#sweep);
  }
}
