// One client connection: bounded HTTP pipelining with backpressure, and timeouts for idle and slow clients.

import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type HttpHandle, type HttpResponse, lingerMs } from "@ems/kit/http";
import { SlowClientDetector, type SlowClientLimits } from "./slow-client.ts";

export interface ConnectionLimits extends SlowClientLimits {
  /** Between two requests: until the next one's headers are complete. */
  readonly idleMs: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: HttpResponse;
}

/** Concurrent requests, until their responses are read. */
const activeMax = 8;

/** Pipelined requests that were received before reading paused; more of them end the connection. */
const queuedMax = 32;

export class Connection {
  readonly #socket: Socket;
  readonly #limits: ConnectionLimits;
  readonly #handle: HttpHandle;
  readonly #active = new Set<Exchange>();
  readonly #queue: (() => void)[] = [];
  readonly #slowClient: SlowClientDetector;
  #idleSinceMs = performance.now();
  #endedAtMs: number | undefined;

  constructor(socket: Socket, limits: ConnectionLimits, handle: HttpHandle) {
    this.#socket = socket;
    this.#limits = limits;
    this.#handle = handle;
    this.#slowClient = new SlowClientDetector(limits);
    // Reading a request's body resumes the socket; it stays paused while requests are queued.
    socket.on("resume", () => {
      if (this.#queue.length > 0) socket.pause();
    });
  }

  /** Handles or queues a request; false when too many are queued and the client is to be disconnected. */
  accept(request: IncomingMessage, response: HttpResponse): boolean {
    const exchange = { request, response };
    if (this.#socket.destroyed) return true;
    if (this.#active.size < activeMax) this.#start(exchange);
    else if (this.#queue.length >= queuedMax) return false;
    else {
      // It starts at the end of another request, whose trace context it must not inherit.
      this.#queue.push(AsyncResource.bind(() => this.#start(exchange)));
      this.#socket.pause();
    }
    return true;
  }

  /** The timeout that has passed, if any. */
  overdue(nowMs: number): "stalled" | "slow" | "idle" | undefined {
    const socket = this.#socket;
    if (socket.writableEnded) {
      this.#endedAtMs ??= nowMs;
      if (socket.writableFinished && nowMs - this.#endedAtMs > lingerMs) return "idle";
    }
    const isIdle = this.#active.size === 0 && nowMs - this.#idleSinceMs > this.#limits.idleMs;
    const pending = socket.writableLength;
    return isIdle ? "idle" : this.#slowClient.sample(nowMs, { sent: socket.bytesWritten - pending, pending });
  }

  /** Whether an HTTP parse error may be written: the client must not take it for the response to another active request. */
  get canWriteError(): boolean {
    const [first, ...others] = this.#active;
    if (first === undefined) return true;
    return others.length === 0 && !first.request.complete && !first.response.headersSent;
  }

  #start(exchange: Exchange): void {
    this.#active.add(exchange);
    exchange.response.once("close", () => this.#end(exchange));
    this.#handle(exchange.request, exchange.response);
  }

  #end(exchange: Exchange): void {
    this.#active.delete(exchange);
    this.#idleSinceMs = performance.now();
    if (this.#socket.destroyed) this.#queue.length = 0;
    const next = this.#queue.shift();
    if (next === undefined) return;
    next();
    if (this.#queue.length === 0) this.#socket.resume();
  }
}
