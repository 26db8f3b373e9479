// One connection of a client. Few of its requests are at work at one time, in the order of HTTP pipelining; while others wait,
// nothing more is read. What it does not take, or does not say, in time ends it.

import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Taking, type TakingLimits } from "./slow-client.ts";

export type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export interface ConnectionLimits extends TakingLimits {
  /** Between two requests: until the next one's headers are complete. */
  readonly idleMs: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Requests of one connection at work, their answers not yet taken. */
const atWorkMax = 8;

/** Requests that were read with those before the reading stopped; a chunk that holds more ends the connection. */
const waitingMax = 32;

/** Once we have ended it, the other side may take the last answer for so long. */
const lingerMs = 2_000;

export class Connection {
  readonly #socket: Socket;
  readonly #limits: ConnectionLimits;
  readonly #handle: Handle;
  readonly #atWork = new Set<Exchange>();
  readonly #waiting: (() => void)[] = [];
  readonly #taking: Taking;
  #idleSinceMs = performance.now();
  #endedAtMs: number | undefined;

  constructor(socket: Socket, limits: ConnectionLimits, handle: Handle) {
    this.#socket = socket;
    this.#limits = limits;
    this.#handle = handle;
    this.#taking = new Taking(limits);
    // A request whose body is taken resumes its socket: not while requests wait.
    socket.on("resume", () => {
      if (this.#waiting.length > 0) socket.pause();
    });
  }

  /** Takes a request; false when the connection has asked too much and is to be cut. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const exchange = { request, response };
    if (this.#socket.destroyed) return true;
    if (this.#atWork.size < atWorkMax) this.#begin(exchange);
    else if (this.#waiting.length >= waitingMax) return false;
    else {
      // Begun at the end of another request, it is no part of that one's trace.
      this.#waiting.push(AsyncResource.bind(() => this.#begin(exchange)));
      this.#socket.pause();
    }
    return true;
  }

  /** Why the connection is to be cut, if it is. */
  overdue(nowMs: number): "stalled" | "slow" | "idle" | undefined {
    const socket = this.#socket;
    if (socket.writableEnded) {
      this.#endedAtMs ??= nowMs;
      if (socket.writableFinished && nowMs - this.#endedAtMs > lingerMs) return "idle";
    }
    const isIdle = this.#atWork.size === 0 && nowMs - this.#idleSinceMs > this.#limits.idleMs;
    const waiting = socket.writableLength;
    return isIdle ? "idle" : this.#taking.look(nowMs, { taken: socket.bytesWritten - waiting, waiting });
  }

  /**
   * Whether an error may be told that no request stands for: the client would take it for the answer to a request that is at
   * work, but for one whose own rest does not come.
   */
  get mayTellError(): boolean {
    const [first, ...others] = this.#atWork;
    if (first === undefined) return true;
    return others.length === 0 && !first.request.complete && !first.response.headersSent;
  }

  #begin(exchange: Exchange): void {
    this.#atWork.add(exchange);
    exchange.response.once("close", () => this.#end(exchange));
    this.#handle(exchange.request, exchange.response);
  }

  #end(exchange: Exchange): void {
    this.#atWork.delete(exchange);
    this.#idleSinceMs = performance.now();
    if (this.#socket.destroyed) this.#waiting.length = 0;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    next();
    if (this.#waiting.length === 0) this.#socket.resume();
  }
}
