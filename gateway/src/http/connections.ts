// HTTP server with connection limits, in total and per address. Each connection has bounded HTTP pipelining with
// backpressure, and timeouts for idle and slow clients.

import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { createHttpServer, type HttpHandle, type HttpResponse, lingerMs } from "@ems/kit/http";
import type { NewId } from "@ems/kit/id";
import { sizeText } from "@ems/proto/limits";
import { clientNetwork } from "../auth/client-address.ts";
import type { GatewayConfig } from "../config.ts";
import { countRejection } from "../telemetry.ts";
import { SlowClientDetector, type SlowClientLimits } from "./slow-client.ts";

export const httpLimits = {
  headerBytes: 16 * 1024,
  /** Time until a request's headers are complete; for the first request, from the connection's start. */
  headersMs: 10_000,
  /** Time until a request is complete. */
  requestMs: 15_000,
};

/** Interval of timeout checks, by Node and here. */
export const sweepMs = 1_000;

export class Connections {
  readonly #config: GatewayConfig;
  readonly #newId: NewId;
  readonly #open = new Map<Socket, Connection>();
  readonly #addresses: AddressLimit | undefined;
  readonly #sweep = setInterval(() => this.#disconnectOverdue(), sweepMs).unref();

  /** If `addresses` is missing, the code that accepts the connections counts them. */
  constructor(config: GatewayConfig, newId: NewId, addresses: AddressLimit | undefined) {
    this.#config = config;
    this.#newId = newId;
    this.#addresses = addresses;
  }

  /** Creates the HTTP server; `handle` receives requests within the limits of their connection. */
  server(handle: HttpHandle): Server {
    const options = {
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: httpLimits.headersMs,
      requestTimeout: httpLimits.requestMs,
      connectionsCheckingInterval: sweepMs,
      keepAliveTimeout: this.#config.KEEP_ALIVE_MS,
      // Node's own response to a missing host header would bypass the pipelining limit.
      requireHostHeader: false,
    };
    const server = createHttpServer(options, (request, response) => {
      const connection = this.#open.get(request.socket);
      if (connection?.accept(request, response) === false) disconnect(request.socket, "pipelined");
    });
    server.maxConnections = this.#config.CONNECTIONS_MAX;
    server.on("drop", () => countRejection({ reason: "connections" }));
    return server.on("connection", (socket) => this.#accept(socket, handle));
  }

  /** Writes the response to a request that cannot be parsed, for which there is no Fastify reply. */
  writeParseError(error: Error & { code?: string }, socket: Socket): void {
    const canWrite = this.#open.get(socket)?.canWriteError ?? false;
    if (error.code === "ECONNRESET" || !socket.writable || !canWrite) return void socket.destroy();
    const [status, message] = parseError(error.code);
    const body = JSON.stringify({ message });
    socket.pause();
    const headers = [
      `x-request-id: ${this.#newId()}`,
      "x-content-type-options: nosniff",
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
    ];
    socket.end(`HTTP/1.1 ${status}\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #accept(socket: Socket, handle: HttpHandle): void {
    const { KEEP_ALIVE_MS, ANSWER_STALL_MS, ANSWER_BYTES_PER_SECOND_MIN } = this.#config;
    if (this.#addresses?.accept(socket) === false) return void disconnect(socket, "connections_of_address");
    const limits = {
      idleMs: KEEP_ALIVE_MS + httpLimits.headersMs,
      stallMs: ANSWER_STALL_MS,
      bytesPerSecondMin: ANSWER_BYTES_PER_SECOND_MIN,
    };
    this.#open.set(socket, new Connection(socket, limits, handle));
    socket.once("close", () => this.#open.delete(socket));
  }

  #disconnectOverdue(): void {
    const nowMs = performance.now();
    for (const [socket, connection] of this.#open) {
      const reason = connection.overdue(nowMs);
      if (reason !== undefined) disconnect(socket, reason);
    }
  }
}

function disconnect(socket: Socket, reason: string): void {
  countRejection({ reason });
  socket.destroy();
}

function parseError(code: string | undefined): readonly [status: string, message: string] {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return [
        "431 Request Header Fields Too Large",
        `The request headers are larger than ${sizeText(httpLimits.headerBytes)}`,
      ];
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return ["408 Request Timeout", "The request took too long to arrive"];
    default:
      return ["400 Bad Request", "Not an HTTP request"];
  }
}

/**
 * Limits connections per client network. Behind a trusted proxy all clients share its address, so there is no limit.
 */
export class AddressLimit {
  readonly #max: number;
  readonly #countByNetwork = new Map<string, number>();

  constructor({ TRUST_PROXY, CONNECTIONS_PER_ADDRESS_MAX }: GatewayConfig) {
    this.#max = TRUST_PROXY === false ? CONNECTIONS_PER_ADDRESS_MAX : Number.POSITIVE_INFINITY;
  }

  /** Counts the connection until it closes; false at the limit. */
  accept(socket: Socket): boolean {
    if (this.#max === Number.POSITIVE_INFINITY || socket.remoteAddress === undefined) return true;
    const network = clientNetwork(socket.remoteAddress);
    const count = this.#countByNetwork.get(network) ?? 0;
    if (count >= this.#max) return false;
    this.#countByNetwork.set(network, count + 1);
    socket.once("close", () => {
      const left = (this.#countByNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.#countByNetwork.set(network, left);
      else this.#countByNetwork.delete(network);
    });
    return true;
  }
}

interface ConnectionLimits extends SlowClientLimits {
  /** Idle timeout: time from the end of one request until the next one's headers are complete. */
  readonly idleMs: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: HttpResponse;
}

/** Maximum concurrent requests of a connection, until their responses are read. */
const activeMax = 8;

/** Maximum pipelined requests in the queue. Reading pauses at the first one; too many end the connection. */
const queuedMax = 32;

/** One client connection. */
class Connection {
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
    // Pause the socket again if reading a request's body has resumed it although requests are queued.
    socket.on("resume", () => {
      if (this.#queue.length > 0) socket.pause();
    });
  }

  /** Handles or queues a request; false when too many are queued and the client must be disconnected. */
  accept(request: IncomingMessage, response: HttpResponse): boolean {
    const exchange = { request, response };
    if (this.#socket.destroyed) return true;
    if (this.#active.size < activeMax) this.#start(exchange);
    else if (this.#queue.length >= queuedMax) return false;
    else {
      // The request starts when another one ends, but must not inherit its trace context.
      this.#queue.push(AsyncResource.bind(() => this.#start(exchange)));
      this.#socket.pause();
    }
    return true;
  }

  /** Returns the timeout that has passed, if any. */
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

  /** True if an HTTP parse error may be written, and is not mistaken for the response to an active request. */
  get canWriteError(): boolean {
    const [first, ...rest] = this.#active;
    if (first === undefined) return true;
    return rest.length === 0 && !first.request.complete && !first.response.headersSent;
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
