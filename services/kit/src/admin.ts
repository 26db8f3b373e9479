// The admin port of a process: is it alive, should it be sent work, and what a service shows to operators. Not for clients.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import type { Health } from "./lifecycle.ts";
import type { Logger } from "./log.ts";
import { metricsText, metricsType } from "./telemetry/metrics.ts";

export interface AdminServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface AdminConfig {
  readonly ADMIN_HOST: string;
  readonly ADMIN_PORT: number;
  readonly ADMIN_HOSTS: readonly string[];
}

/** Something to look at on the admin port. */
export interface AdminPage {
  /** Where it is, such as `/mail`: that path and everything below. */
  readonly path: string;
  /** The HTML at a path of its own; undefined when there is nothing. */
  show(path: string): Promise<string | undefined>;
}

/** A page runs nothing, loads nothing and is shown in no other page. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/**
 * Serves `/livez` (the process answers), `/readyz` (its database is there and new enough, and it is not stopping),
 * `/metrics` (for Prometheus) and `pages`. The probes answer under any name, the rest under names of ours only.
 */
export async function startAdmin(
  { ADMIN_HOST: host, ADMIN_PORT: port, ADMIN_HOSTS }: AdminConfig,
  health: Health,
  log: Logger,
  pages: readonly AdminPage[] = [],
): Promise<AdminServer> {
  const answered = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === "/livez") return send(response, 200, { status: "ok" });
    if (request.url === "/readyz") {
      const { status, body } = await readyz(health, log);
      return send(response, status, body);
    }
    const { pathname = "/" } = URL.parse(request.url ?? "/", "http://admin") ?? {};
    const page = pages.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
    const isMetrics = pathname === "/metrics";
    if (page === undefined && !isMetrics) return send(response, 404, { message: "Resource not found" });
    // DNS rebinding: a site that lets its own name point here must not read through the browser of whoever visits it.
    if (!isOwnName(request.headers.host, ADMIN_HOSTS)) return send(response, 421, { message: "Misdirected request" });
    if (request.method !== "GET") return send(response, 405, { message: "Method not allowed" });
    return page === undefined ? metrics(response) : showPage(page, pathname, response);
  };
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    answered(request, response).catch((error: unknown) => {
      log.error({ err: error }, "admin page failed");
      if (response.headersSent) response.destroy();
      else send(response, 500, { message: "Internal server error" });
    });
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

/** What `/readyz` answers: with 200 `ok`, or `degraded` by which of its parts. */
export interface Readiness {
  readonly status: 200 | 503;
  readonly body: { readonly status: "ok" | "degraded" | "not ready"; readonly degraded?: readonly string[] };
}

/** The reason of a no is in the log only, for it may name hosts and roles. */
export async function readyz(health: Health, log: Logger): Promise<Readiness> {
  const [fault, degraded] = await Promise.all([health.fault(), health.degraded()]);
  if (fault === undefined && degraded.length > 0) return { status: 200, body: { status: "degraded", degraded } };
  if (fault === undefined) return { status: 200, body: { status: "ok" } };
  log.warn({ err: fault }, "not ready");
  return { status: 503, body: { status: "not ready" } };
}

async function metrics(response: ServerResponse): Promise<void> {
  const text = await metricsText();
  response.writeHead(200, { "content-type": metricsType, "cache-control": "no-store" }).end(text);
}

async function showPage(page: AdminPage, pathname: string, response: ServerResponse): Promise<void> {
  const html = await page.show(pathname);
  if (html === undefined) return send(response, 404, { message: "Resource not found" });
  response.writeHead(200, pageHeaders).end(html);
}

/**
 * Whether a name is one that no site on the internet can have: an address, a name without a dot, as in a compose file, or
 * one of `hosts`, where `.svc.cluster.local` stands for all names that end so.
 */
function isOwnName(host = "", hosts: readonly string[]): boolean {
  const name = host
    .toLowerCase()
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1");
  if (isIP(name) !== 0 || /^[a-z0-9_-]{1,63}$/.test(name)) return true;
  return hosts.some((own) => (own.startsWith(".") ? name.endsWith(own) : name === own));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
}
