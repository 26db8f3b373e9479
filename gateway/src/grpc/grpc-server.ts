// The gRPC port: an HTTP/2 server without TLS, as the HTTP port is, behind whatever terminates it.

import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import type { GatewayConfig } from "../config.ts";
import { http2Exchange } from "./exchange.ts";
import { type GrpcHandlerDeps, grpcHandler } from "./grpc-handler.ts";
import { OpenStreams } from "./open-streams.ts";
import { Sessions } from "./sessions.ts";

export class GrpcServer {
  readonly #config: GatewayConfig;
  readonly #deps: GrpcHandlerDeps;
  readonly #streams: OpenStreams;
  #open: { readonly server: Http2Server; readonly sessions: Sessions } | undefined;

  constructor(config: GatewayConfig, deps: Omit<GrpcHandlerDeps, "streams">) {
    this.#config = config;
    this.#streams = new OpenStreams(config);
    this.#deps = { ...deps, streams: this.#streams };
  }

  /** Listens, and returns the port; undefined when the setting is `off`. */
  async listen(): Promise<number | undefined> {
    const { HOST, GRPC_PORT, TRUST_PROXY } = this.#config;
    if (GRPC_PORT === undefined) return undefined;
    const sessions = new Sessions(this.#config);
    const handle = grpcHandler(TRUST_PROXY, this.#deps);
    const server = createServer(sessions.options);
    server.on("stream", (stream: ServerHttp2Stream, headers) => handle(http2Exchange(stream, headers)));
    sessions.limit(server);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once("error", reject).listen(GRPC_PORT, HOST, resolve);
    await promise.catch((error: unknown) => {
      sessions.stop();
      throw error;
    });
    server.off("error", reject);
    this.#open = { server, sessions };
    // A server that listens on a host and port has no pipe's name as its address.
    return (server.address() as AddressInfo).port;
  }

  /** Graceful shutdown: accepts no connections, lets running requests finish within `drainMs`, then disconnects. */
  async close(drainMs: number): Promise<void> {
    if (this.#open === undefined) return;
    const { server, sessions } = this.#open;
    this.#open = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#streams.close();
    const limit = setTimeout(() => sessions.destroy(), drainMs);
    await sessions.drain();
    await closed;
    clearTimeout(limit);
    sessions.stop();
  }
}
