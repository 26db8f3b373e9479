// The admin port of a process: probes, metrics and pages for operators. Not for clients.

import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import type { Health } from "./health.ts";
import { createHttpServer } from "./http/server.ts";
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

/** A page for operators. */
export interface AdminPage {
  /** Prefix of the page's paths, such as `/mail`. */
  readonly path: string;
  /** Returns the HTML of a path; undefined if there is no such page. */
  show(path: string): Promise<string | undefined>;
}

/** Headers of a page, which may not run scripts, load anything or be framed. */
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
 * Serves `/livez` (the process responds), `/readyz` (the readiness check, and not draining), `/metrics` (Prometheus)
 * and `pages`. The probes accept any Host header; all other paths accept known names only.
 */
export async function startAdmin(
  { ADMIN_HOST: host, ADMIN_PORT: port, ADMIN_HOSTS }: AdminConfig,
  health: Health,
  log: Logger,
  pages: readonly AdminPage[] = [],
): Promise<AdminServer> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === "/livez") return send(response, 200, { status: "ok" });
    if (request.url === "/readyz") {
      const { status, body, reason } = await readyz(health, log);
      // The reason may contain hosts and roles; a DNS rebinding site must not read it.
      const includesReason = reason !== undefined && isOwnName(request.headers.host, ADMIN_HOSTS);
      return send(response, status, includesReason ? { ...body, reason } : body);
    }
    const { pathname = "/" } = URL.parse(request.url ?? "/", "http://admin") ?? {};
    const page = pages.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
    const isMetrics = pathname === "/metrics";
    if (page === undefined && !isMetrics) return send(response, 404, { message: "Resource not found" });
    // DNS rebinding: a site whose name resolves to this address must not read pages through a visitor's browser.
    if (!isOwnName(request.headers.host, ADMIN_HOSTS)) return send(response, 421, { message: "Misdirected request" });
    if (request.method !== "GET") return send(response, 405, { message: "Method not allowed" });
    return page === undefined ? metrics(response) : renderPage(page, pathname, response);
  };
  const server = createHttpServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      log.error({ err: error }, "admin page failed");
      if (response.headersSent) response.destroy();
      else send(response, 500, { message: "Internal server error" });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // The server listens on a port, so its address is an object, not the name of a pipe.
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The response of `/readyz`. */
export interface Readiness {
  readonly status: 200 | 503;
  readonly body: { readonly status: "ok" | "degraded" | "not ready"; readonly degraded?: readonly string[] };
  /** Reason of a 503. For operators only, since it may contain hosts and roles. */
  readonly reason?: string;
}

/** Checks readiness and logs the reason when it changes: probes come every few seconds. */
export async function readyz(health: Health, log: Logger): Promise<Readiness> {
  const [thrown, degraded] = await Promise.all([health.notReadyReason(), health.missingParts()]);
  const reason = thrown === undefined ? undefined : findInnermostMessage(thrown);
  if (health.reportedReason !== reason) {
    if (reason === undefined) log.info("ready");
    else log.warn({ reason }, "not ready");
    health.reportedReason = reason;
  }
  if (reason !== undefined) return { status: 503, body: { status: "not ready" }, reason };
  if (degraded.length > 0) return { status: 200, body: { status: "degraded", degraded } };
  return { status: 200, body: { status: "ok" } };
}

/** Returns the message of the innermost cause; outer messages only say that something is unavailable. */
function findInnermostMessage(thrown: unknown): string {
  let reason = thrown;
  for (;;) {
    const [inner] = reason instanceof AggregateError ? reason.errors : [reason instanceof Error && reason.cause];
    if (!(inner instanceof Error)) return reason instanceof Error ? reason.message : String(reason);
    reason = inner;
  }
}

async function metrics(response: ServerResponse): Promise<void> {
  const text = await metricsText();
  response.writeHead(200, { "content-type": metricsType, "cache-control": "no-store" }).end(text);
}

async function renderPage(page: AdminPage, pathname: string, response: ServerResponse): Promise<void> {
  const html = await page.show(pathname);
  if (html === undefined) return send(response, 404, { message: "Resource not found" });
  response.writeHead(200, pageHeaders).end(html);
}

/**
 * True if the host cannot be a site on the internet: an address, a name without a dot (compose), or one of `hosts`,
 * where a name with a leading dot such as `.svc.cluster.local` matches all names with this ending.
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
