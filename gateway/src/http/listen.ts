import type { AddressInfo } from "node:net";
import { inFlightTimeoutMs } from "@ems/kit/lifecycle";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";

const idleCheckMs = 20;

/** Listens and returns the base URL for clients. */
export async function listenGateway(gateway: FastifyInstance, { HOST, PORT }: GatewayConfig): Promise<string> {
  await gateway.listen({ host: HOST, port: PORT });
  // A server that listens on a host and port has no pipe's name as its address.
  const { port } = gateway.server.address() as AddressInfo;
  const isAny = HOST === "0.0.0.0" || HOST === "::";
  return `http://${isAny ? "localhost" : HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`;
}

/** Graceful shutdown: accepts no new connections, lets running requests finish within the limit, then disconnects. */
export async function closeGateway(gateway: FastifyInstance): Promise<void> {
  // Kept-alive connections would otherwise hold up the close until the limit.
  const idle = setInterval(() => gateway.server.closeIdleConnections(), idleCheckMs);
  const limit = setTimeout(() => gateway.server.closeAllConnections(), inFlightTimeoutMs);
  await gateway.close();
  clearInterval(idle);
  clearTimeout(limit);
}
