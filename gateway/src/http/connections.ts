// The outer wall: how many connections there may be, and an HTTP server whose limits on each of them really fire.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientNetwork } from "../auth/client-address.ts";
import type { GatewayConfig } from "../config.ts";
import { countRefusal } from "../telemetry.ts";
import { Connection, type Handle } from "./connection.ts";

export const httpLimits = {
  headerBytes: 16 * 1024,
  /** The whole of a request's headers must have come by then, the first ones since the connection was made, */
  headersMs: 10_000,
  /** and the whole of the request by then. */
  requestMs: 15_000,
};

/** How often Node looks at those two, and we at what connections take. */
const sweepMs = 1_000;

/** All connections of the gateway; makes the server that takes them. */
export class Connections {
  readonly #config: GatewayConfig;
  readonly #open = new Map<Socket, Connection>();
  readonly #perAddress = new Map<string, number>();
  readonly #sweep = setInterval(() => this.#cutOverdue(), sweepMs).unref();

  constructor(config: GatewayConfig) {
    this.#config = config;
  }

  /** An HTTP server that hands requests over as far as their connections may ask. */
  server(handle: Handle): Server {
    const server = createServer({
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: httpLimits.headersMs,
      requestTimeout: httpLimits.requestMs,
      connectionsCheckingInterval: sweepMs,
      keepAliveTimeout: this.#config.KEEP_ALIVE_MS,
      // Node would answer a request without it itself, past the limit on pipelined requests.
      requireHostHeader: false,
    });
    server.maxConnections = this.#config.CONNECTIONS_MAX;
    server.on("drop", () => countRefusal({ reason: "connections" }));
    server.on("connection", (socket) => this.#opened(socket, handle));
    const take = (request: IncomingMessage, response: ServerResponse) => this.#take(request, response);
    return server.on("request", take).on("checkExpectation", take);
  }

  /** What cannot even be parsed as HTTP has no request and no reply: the answer is written to the socket. */
  tellError(error: Error & { code?: string }, socket: Socket): void {
    const mayTell = this.#open.get(socket)?.mayTellError ?? false;
    if (error.code === "ECONNRESET" || !socket.writable || !mayTell) return void socket.destroy();
    const [status, text] = errorLine(error.code);
    const body = JSON.stringify({ message: text });
    socket.pause();
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #opened(socket: Socket, handle: Handle): void {
    const { KEEP_ALIVE_MS, ANSWER_STALL_MS, ANSWER_BYTES_PER_SECOND_MIN } = this.#config;
    if (!this.#mayOpen(socket)) {
      cut(socket, "connections_of_address");
      return;
    }
    const limits = {
      idleMs: KEEP_ALIVE_MS + httpLimits.headersMs,
      stallMs: ANSWER_STALL_MS,
      bytesPerSecondMin: ANSWER_BYTES_PER_SECOND_MIN,
    };
    this.#open.set(socket, new Connection(socket, limits, handle));
    socket.once("close", () => this.#open.delete(socket));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection?.take(request, response) === false) cut(request.socket, "pipelined");
  }

  #cutOverdue(): void {
    const nowMs = performance.now();
    for (const [socket, connection] of this.#open) {
      const why = connection.overdue(nowMs);
      if (why !== undefined) cut(socket, why);
    }
  }

  /** Of one address only so many; behind a proxy all clients have the proxy's. */
  #mayOpen(socket: Socket): boolean {
    if (this.#config.TRUST_PROXY !== false || socket.remoteAddress === undefined) return true;
    const address = clientNetwork(socket.remoteAddress);
    const count = this.#perAddress.get(address) ?? 0;
    if (count >= this.#config.CONNECTIONS_PER_ADDRESS_MAX) return false;
    this.#perAddress.set(address, count + 1);
    socket.once("close", () => this.#closed(address));
    return true;
  }

  #closed(address: string): void {
    const count = (this.#perAddress.get(address) ?? 1) - 1;
    if (count > 0) this.#perAddress.set(address, count);
    else this.#perAddress.delete(address);
  }
}

function cut(socket: Socket, reason: string): void {
  countRefusal({ reason });
  socket.destroy();
}

function errorLine(code: string | undefined): readonly [status: string, text: string] {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return ["431 Request Header Fields Too Large", "The request headers are larger than 16 KiB"];
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return ["408 Request Timeout", "The request took too long to arrive"];
    default:
      return ["400 Bad Request", "Not an HTTP request"];
  }
}
