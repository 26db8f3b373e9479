// One port, every protocol: HTTP/2 connections are gRPC and go to grpc-js; HTTP/1.1 connections are Connect or gRPC-Web
// (`curl` with JSON, a browser's client) and go to connect-node. The first bytes tell which: HTTP/2 opens with a preface.

import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import grpc from "@grpc/grpc-js";
import { canceled } from "../errors.ts";
import type { Endpoint } from "./dispatch.ts";
import { grpcServer } from "./grpc-server.ts";
import { IncomingRequest } from "./request.ts";
import { LazySignal } from "./signal.ts";
import { maxMessageBytes } from "./wire.ts";

export interface RpcListener {
  readonly port: number;
  setServing(serving: boolean): void;
  /** Takes no new connections, lets running calls end within `limitMs`, then cuts what is left. */
  close(limitMs: number): Promise<void>;
}

const http2Preface = Buffer.from("PRI * HTTP/2.0");
/** A connection that says nothing is not kept waiting for its first bytes longer than this. */
const firstBytesMs = 10_000;
/** Callers have heard by then that this process ends: many round trips within a data centre. */
const endHeardMs = 100;

export async function listenRpc(endpoints: readonly Endpoint[], host: string, port: number): Promise<RpcListener> {
  const { server: http2, setServing, announceEnd } = grpcServer(endpoints);
  const injector = http2.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  const http1 = connectServer(endpoints);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setTimeout(firstBytesMs, () => socket.destroy());
    socket.once("data", (first) => {
      socket.setTimeout(0);
      socket.pause();
      socket.unshift(first);
      const bytes = Buffer.from(first).subarray(0, http2Preface.length);
      if (bytes.equals(http2Preface.subarray(0, bytes.length))) return injector.injectConnection(socket);
      http1.emit("connection", socket);
      // Unlike an HTTP/2 session, which takes over the socket's handle, HTTP/1.1 reads on from the stream.
      process.nextTick(() => socket.resume());
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    setServing,
    async close(limitMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      http1.closeIdleConnections();
      const cut = setTimeout(() => {
        http2.forceShutdown();
        for (const socket of sockets) socket.destroy();
      }, limitMs);
      // GOAWAY in two phases: a call that is on its way when the session closes would be lost with it.
      announceEnd();
      await delay(Math.min(endHeardMs, limitMs));
      const drained = new Promise<void>((resolve) => http2.tryShutdown(() => resolve()));
      await Promise.all([closed, drained]);
      clearTimeout(cut);
    },
  };
}

function connectServer(endpoints: readonly Endpoint[]): HttpServer {
  const handle = connectNodeAdapter({
    grpc: false,
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
    routes: (router) => {
      for (const endpoint of endpoints) {
        router.rpc(endpoint.method, async (message, context) => {
          const signal = new LazySignal();
          context.signal.addEventListener("abort", () => signal.abort(canceled(context.signal.reason)));
          const leftMs = context.timeoutMs();
          const deadlineMs = leftMs === undefined ? undefined : Date.now() + leftMs;
          const request = new IncomingRequest(endpoint, message, context.requestHeader, deadlineMs, signal);
          const { message: answer, header } = await endpoint.invoke(request);
          for (const [name, value] of header) context.responseHeader.set(name, value);
          return answer;
        });
      }
    },
  });
  return createHttpServer({ headersTimeout: 10_000, requestTimeout: 15_000, maxHeaderSize: 16 * 1024 }, handle);
}
