// The gRPC port: HTTP/1.1 and HTTP/2 on one port, in cleartext or with TLS, with the limits of the HTTP port.

import type { Server as Http1Server } from "node:http";
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { createPort } from "@ems/kit/rpc/port";
import { readTls } from "@ems/kit/rpc/tls";
import type { GatewayConfig } from "../config.ts";
import { AddressLimit, Connections } from "../http/connections.ts";
import { countRejection } from "../telemetry.ts";
import { ConnectionAge } from "./connection-age.ts";
import { http1Exchange } from "./exchange.ts";
import { type GrpcHandlerDeps, grpcHandler } from "./grpc-handler.ts";
import { OpenStreams } from "./open-streams.ts";
import { Sessions } from "./sessions.ts";

interface OpenPort {
  readonly server: Server;
  readonly http1: Http1Server;
  readonly http2: Http2Server;
  readonly connections: Connections;
  readonly sessions: Sessions;
  /** All connections, including those before their TLS handshake. */
  readonly sockets: ReadonlySet<Socket>;
  readonly ages: ReadonlyMap<Socket, ConnectionAge>;
}

export class GrpcServer {
  readonly #config: GatewayConfig;
  readonly #deps: GrpcHandlerDeps;
  readonly #streams: OpenStreams;
  #open: OpenPort | undefined;

  constructor(config: GatewayConfig, deps: Omit<GrpcHandlerDeps, "streams">) {
    this.#config = config;
    this.#streams = new OpenStreams(config);
    this.#deps = { ...deps, streams: this.#streams };
  }

  /** True if clients connect with TLS. */
  get isSecure(): boolean {
    return this.#config.GRPC_TLS_CERT_FILE !== undefined;
  }

  /** Starts listening and returns the port; undefined when the setting is `off`. */
  async listen(): Promise<number | undefined> {
    const { HOST, GRPC_PORT } = this.#config;
    if (GRPC_PORT === undefined) return undefined;
    const open = this.#create();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    open.server.once("error", reject).listen(GRPC_PORT, HOST, resolve);
    await promise.catch((error: unknown) => {
      stop(open);
      throw error;
    });
    open.server.off("error", reject);
    this.#open = open;
    // The server listens on a host and port, so its address is an object.
    return (open.server.address() as AddressInfo).port;
  }

  #create(): OpenPort {
    const { log, newId } = this.#deps;
    const { GRPC_TLS_CERT_FILE: cert, GRPC_TLS_KEY_FILE: key, CONNECTIONS_MAX } = this.#config;
    const tls = readTls({ cert: "GRPC_TLS_CERT_FILE", key: "GRPC_TLS_KEY_FILE" }, { cert, key }, log);
    const handle = grpcHandler(this.#config, this.#deps);
    const sessions = new Sessions(this.#config);
    const http2 = createServer(sessions.options);
    sessions.serve(http2, handle);

    const ages = new Map<Socket, ConnectionAge>();
    const connections = new Connections(this.#config, newId, undefined);
    const http1 = connections.server((request, response) => {
      const age = ages.get(request.socket) ?? new ConnectionAge(this.#config);
      ages.set(request.socket, age);
      if (age.reached(performance.now()) !== undefined) age.end();
      handle(http1Exchange(request, response, age.draining));
    });
    http1.on("clientError", (error, socket) => connections.writeParseError(error, socket as Socket));
    http1.on("connection", (socket) => socket.once("close", () => ages.delete(socket)));
    // Starts the checks of time limits, which Node runs only for servers that listen themselves.
    http1.emit("listening");

    const server = createPort({
      tls,
      onHttp1: (socket) => void http1.emit("connection", socket),
      onHttp2: (socket) => void http2.emit("connection", socket),
    });
    const addresses = new AddressLimit(this.#config);
    const sockets = new Set<Socket>();
    server.maxConnections = CONNECTIONS_MAX;
    server.on("drop", () => countRejection({ reason: "connections" }));
    server.on("connection", (socket: Socket) => {
      if (!addresses.accept(socket)) {
        countRejection({ reason: "connections_of_address" });
        return void socket.destroy();
      }
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    return { server, http1, http2, connections, sessions, sockets, ages };
  }

  /** Graceful shutdown: accepts no connections, lets running requests finish within `drainMs`, then disconnects. */
  async close(drainMs: number): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { server, http1, sessions, sockets, ages } = open;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const limit = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, drainMs);
    this.#streams.close();
    for (const age of ages.values()) age.end();
    const idle = setInterval(() => http1.closeIdleConnections(), idleCheckMs);
    await sessions.drain();
    await closed;
    clearTimeout(limit);
    clearInterval(idle);
    stop(open);
  }
}

/** Idle HTTP/1.1 connections would otherwise delay the close. */
const idleCheckMs = 20;

function stop({ http1, connections, sessions }: OpenPort): void {
  sessions.stop();
  connections.stop();
  http1.close();
}
