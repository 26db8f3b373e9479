import type { AddressInfo } from "node:net";
import { inFlightTimeoutMs } from "@ems/kit/lifecycle";
import type { GatewayConfig } from "../config.ts";
import type { Gateway } from "../server.ts";

const idleCheckMs = 20;

/** URLs for clients. */
export interface GatewayUrls {
  readonly baseUrl: string;
  /** URL of the gRPC port; undefined if the port is off. */
  readonly grpcUrl: string | undefined;
}

/** Opens both ports. */
export async function listenGateway({ app, grpc }: Gateway, { HOST, PORT }: GatewayConfig): Promise<GatewayUrls> {
  await app.listen({ host: HOST, port: PORT });
  const grpcPort = await grpc.listen().catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  // The server listens on a host and port, so its address is an object.
  const { port } = app.server.address() as AddressInfo;
  const isAny = HOST === "0.0.0.0" || HOST === "::";
  const host = isAny ? "localhost" : HOST.includes(":") ? `[${HOST}]` : HOST;
  const [origin, grpcOrigin] = [`http://${host}`, `${grpc.isSecure ? "https" : "http"}://${host}`];
  return { baseUrl: `${origin}:${port}`, grpcUrl: grpcPort === undefined ? undefined : `${grpcOrigin}:${grpcPort}` };
}

/** Graceful shutdown: accepts no new connections, lets running requests finish within the limit, then disconnects. */
export async function closeGateway({ app, grpc }: Gateway): Promise<void> {
  // Idle kept-alive connections would otherwise delay the close until the limit.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckMs);
  const limit = setTimeout(() => app.server.closeAllConnections(), inFlightTimeoutMs);
  await Promise.all([app.close(), grpc.close(inFlightTimeoutMs)]);
  clearInterval(idle);
  clearTimeout(limit);
}
