// One port for every protocol: HTTP/2 is gRPC and handled by grpc-js; HTTP/1.1 is Connect or gRPC-Web (`curl` with
// JSON, a browser's client) and handled by connect-node.

import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "@ems/proto/google/api/annotations";
import grpc from "@grpc/grpc-js";
import { messageBytesMax, readRequestBytesMax } from "../limits/sizes.ts";
import { connectServer } from "./connect-server.ts";
import { goawayMs } from "./connection-age.ts";
import type { Endpoint } from "./endpoints.ts";
import { grpcServer } from "./grpc-server.ts";
import { InboundMessages } from "./inbound-messages.ts";
import { createPort } from "./port.ts";
import type { Tls } from "./tls.ts";
import type { Authenticate } from "./tokens/verify.ts";
import { UnauthenticatedConnections } from "./unauthenticated-connections.ts";

export interface RpcListener {
  readonly port: number;
  setServing(serving: boolean): void;
  /** Graceful shutdown: accepts no connections, drains calls for `drainMs`, then closes the remaining ones. */
  close(drainMs: number): Promise<void>;
}

interface ListenOptions {
  readonly connectionAgeMs?: number;
  /** Certificate of the port; undefined means cleartext. */
  readonly tls?: Tls | undefined;
}

/** Maximum connections from all processes of the mesh. */
const connectionsMax = 2_000;

/** Serves `endpoints` to callers that `authenticate` accepts. */
export async function listenRpc(
  endpoints: readonly Endpoint[],
  authenticate: Authenticate,
  host: string,
  port: number,
  { connectionAgeMs, tls }: ListenOptions = {},
): Promise<RpcListener> {
  const [inbound, unauthenticated] = [new InboundMessages(), new UnauthenticatedConnections()];
  const admission = { authenticate, inbound, unauthenticated, requestBytesMax: requestLimits(endpoints) };
  const { server: http2, setServing, sendGoaway } = grpcServer(endpoints, admission, connectionAgeMs);
  const injector = http2.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  const http1 = connectServer(endpoints, admission);
  const sockets = new Set<Socket>();
  const server = createPort({
    tls,
    onHttp1: (socket) => void http1.emit("connection", socket),
    onHttp2: (socket) => injector.injectConnection(socket),
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    unauthenticated.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    setServing,
    async close(drainMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      http1.closeIdleConnections();
      const forceClose = setTimeout(() => {
        http2.forceShutdown();
        for (const socket of sockets) socket.destroy();
      }, drainMs);
      // GOAWAY in two phases: closing the session at once would lose calls in transit.
      sendGoaway();
      await delay(Math.min(goawayMs, drainMs));
      const drained = new Promise<void>((resolve) => http2.tryShutdown(() => resolve()));
      await Promise.all([closed, drained]);
      clearTimeout(forceClose);
      inbound.close();
    },
  };
}

/** Length of gRPC's message prefix. */
const prefixBytes = 5;

/** Maximum request size of a method, by path; 0 for an unknown path. */
export function requestLimits(endpoints: readonly Endpoint[]): (path: string) => number {
  const limits = new Map<string, number>(
    endpoints.map(({ service, method }) => {
      const bytesMax = isGet(method) ? readRequestBytesMax : messageBytesMax;
      return [`/${service.typeName}/${method.name}`, bytesMax + prefixBytes] as const;
    }),
  );
  return (path) => limits.get(path) ?? 0;
}

/** Returns true for a GET at the gateway, whose request fits into a URL. A read by POST may be as large as any body. */
function isGet(method: DescMethod): boolean {
  return hasOption(method, http) && getOption(method, http).pattern.case === "get";
}
