// Where a request of the console comes from: over a connection that may carry a session, and from a page of this origin.

import { forbidden } from "@ems/kit/errors";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";

type Addressed = Pick<FastifyRequest, "protocol" | "host">;
type Sent = Addressed & Pick<FastifyRequest, "method" | "headers">;

/** Why nobody can sign in by such a connection; undefined when it may carry a session. */
export function whyUnsafe(request: Addressed): string | undefined {
  const url = ownUrl(request);
  if (url?.protocol === "https:" || isLoopbackName(url?.hostname)) return undefined;
  return "Sign-in needs https: this page came over plain http, by which others on the way could take the session. A proxy that ends TLS must be named in TRUST_PROXY.";
}

/** Whether the browser addressed `origin`. */
export function isAt(request: Addressed, origin: string): boolean {
  return ownUrl(request)?.origin === origin;
}

export function isSecure({ protocol }: Pick<Addressed, "protocol">): boolean {
  return protocol === "https";
}

/**
 * Throws for a request that a page of another origin may have caused. Browsers name the origin of every change, and set
 * Sec-Fetch-Site themselves; a read without either is one that a person typed.
 */
export function checkOrigin(request: Sent): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isOurs = origin === undefined ? isRead : origin === ownUrl(request)?.origin;
  const isSameSite = site === undefined || site === "same-origin" || (isRead && site === "none");
  if (!(isOurs && isSameSite)) throw forbidden("APPLICATION_FORBIDDEN", "The request is of a page of another origin");
}

/** Whether both ends are on this machine: a proxy here would make every client look so, and says that it forwards. */
export function isFromThisMachine({
  raw,
  headers,
  protocol,
  host,
}: Addressed & Pick<FastifyRequest, "raw" | "headers">) {
  const isForwarded = "forwarded" in headers || "x-forwarded-for" in headers || "x-real-ip" in headers;
  return !isForwarded && isLoopback(raw.socket.remoteAddress) && isLoopbackName(ownUrl({ protocol, host })?.hostname);
}

/** As the browser addressed it. */
function ownUrl({ protocol, host }: Addressed): URL | undefined {
  return URL.parse(`${protocol}://${host}`) ?? undefined;
}

export function isLoopbackName(name: string | undefined): boolean {
  return name === "localhost" || isLoopback(name?.replace(/^\[(.*)\]$/, "$1"));
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
