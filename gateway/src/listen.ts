import type { AddressInfo } from "node:net";
import { inFlightMs } from "@ems/kit/lifecycle";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "./config.ts";

/** Listens; answers the base URL that clients use. */
export async function listenGateway(gateway: FastifyInstance, { HOST, PORT }: GatewayConfig): Promise<string> {
  await gateway.listen({ host: HOST, port: PORT });
  // Listening on a host and port, the address is never a pipe's name.
  const { port } = gateway.server.address() as AddressInfo;
  const isAny = HOST === "0.0.0.0" || HOST === "::";
  return `http://${isAny ? "localhost" : HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`;
}

/** Takes no new connections, lets running requests end within the limit, then cuts what is left. */
export async function closeGateway(gateway: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => gateway.server.closeAllConnections(), inFlightMs);
  await gateway.close();
  clearTimeout(cut);
}
