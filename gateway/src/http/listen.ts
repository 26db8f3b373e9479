import type { AddressInfo } from "node:net";
import { inFlightTimeoutMs } from "@ems/kit/lifecycle";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";

/** How often a closing server looks for connections whose last answer is out. */
const idleCheckMs = 20;

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
  // Clients keep connections alive after their answer; without this, each would be waited for until the cut.
  const idle = setInterval(() => gateway.server.closeIdleConnections(), idleCheckMs);
  const cut = setTimeout(() => gateway.server.closeAllConnections(), inFlightTimeoutMs);
  await gateway.close();
  clearInterval(idle);
  clearTimeout(cut);
}
