// One port, every protocol: HTTP/2 connections are gRPC and go to grpc-js; HTTP/1.1 connections are Connect or gRPC-Web
// (`curl` with JSON, a browser's client) and go to connect-node. The first bytes tell which: HTTP/2 opens with a preface.

import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import grpc from "@grpc/grpc-js";
import { connectServer } from "./connect-server.ts";
import type { Endpoint } from "./dispatch.ts";
import { grpcServer } from "./grpc-server.ts";
import { largestMessages } from "./message-sizes.ts";
import { Receiving } from "./receiving.ts";
import { Strangers } from "./strangers.ts";
import type { Authenticate } from "./tokens/verify.ts";

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

/** Connections at one time, of all processes of the mesh together. */
const connectionsMax = 2_000;

/** Answers calls of `endpoints` from whoever `authenticate` knows. */
export async function listenRpc(
  endpoints: readonly Endpoint[],
  authenticate: Authenticate,
  host: string,
  port: number,
): Promise<RpcListener> {
  const [receiving, strangers] = [new Receiving(), new Strangers()];
  const gate = { authenticate, receiving, strangers, maxBytes: largestMessages(endpoints) };
  const { server: http2, setServing, sendGoaway } = grpcServer(endpoints, gate);
  const injector = http2.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  const http1 = connectServer(endpoints, gate);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    strangers.add(socket);
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
  server.maxConnections = connectionsMax;
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
      sendGoaway();
      await delay(Math.min(endHeardMs, limitMs));
      const drained = new Promise<void>((resolve) => http2.tryShutdown(() => resolve()));
      await Promise.all([closed, drained]);
      clearTimeout(cut);
      receiving.close();
    },
  };
}
