// Connection limits: an HTTP server with a maximum of connections, in total and per address, and a limit on each.

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createHttpServer, type HttpHandle } from "@ems/kit/http";
import type { NewId } from "@ems/kit/id";
import { sizeText } from "@ems/proto/limits";
import type { GatewayConfig } from "../config.ts";
import { countRejection } from "../telemetry.ts";
import type { AddressLimit } from "./address-limit.ts";
import { Connection } from "./connection.ts";

export const httpLimits = {
  headerBytes: 16 * 1024,
  /** Until a request's headers are complete, the first one's since the connection was opened. */
  headersMs: 10_000,
  /** Until a request is complete. */
  requestMs: 15_000,
};

/** Interval of checking the timeouts, by Node and here. */
export const sweepMs = 1_000;

export class Connections {
  readonly #config: GatewayConfig;
  readonly #newId: NewId;
  readonly #open = new Map<Socket, Connection>();
  readonly #addresses: AddressLimit | undefined;
  readonly #sweep = setInterval(() => this.#disconnectOverdue(), sweepMs).unref();

  /** Without `addresses`, whoever accepts the connections has counted them. */
  constructor(config: GatewayConfig, newId: NewId, addresses: AddressLimit | undefined) {
    this.#config = config;
    this.#newId = newId;
    this.#addresses = addresses;
  }

  /** Creates the HTTP server; `handle` gets requests within the limits of their connection. */
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

  /** Writes the response to a request that cannot be parsed: there is no Fastify reply for it. */
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
