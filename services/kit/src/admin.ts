// The admin port of a process: is it alive, should it be sent work. For probes and operators, not for clients.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Health } from "./lifecycle.ts";
import type { Logger } from "./log.ts";

export interface AdminServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `/livez` (the process answers) and `/readyz` (its database is there and new enough, and it is not stopping). */
export async function startAdmin(host: string, port: number, health: Health, log: Logger): Promise<AdminServer> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    if (request.url === "/livez") return send(response, 200, { status: "ok" });
    if (request.url === "/readyz")
      return void readyz(health, log).then(({ status, body }) => send(response, status, body));
    send(response, 404, { message: "Resource not found" });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // Listening on a host and port, the address is never a pipe's name.
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What `/readyz` answers; the reason of a no is in the log only, for it may name hosts and roles. */
export async function readyz(health: Health, log: Logger): Promise<{ status: number; body: { status: string } }> {
  const fault = await health.fault();
  if (fault === undefined) return { status: 200, body: { status: "ok" } };
  log.warn({ err: fault }, "not ready");
  return { status: 503, body: { status: "not ready" } };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
}
