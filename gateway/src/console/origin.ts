// Security checks of console requests: a secure connection, and a page of this origin.

import { forbidden } from "@ems/kit/errors";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";

type Addressed = Pick<FastifyRequest, "protocol" | "host">;
type Sent = Addressed & Pick<FastifyRequest, "method" | "headers">;

/** Returns the reason why this connection is too insecure for a session; undefined when it is secure. */
export function findUnsafeReason(request: Addressed): string | undefined {
  const url = ownUrl(request);
  if (url?.protocol === "https:" || isLoopbackName(url?.hostname)) return undefined;
  return "Sign-in needs https: over plain http, others on the network could steal the session. If a proxy terminates TLS, name it in TRUST_PROXY.";
}

/** True if the browser addressed `origin`. */
export function isAt(request: Addressed, origin: string): boolean {
  return ownUrl(request)?.origin === origin;
}

export function isSecure({ protocol }: Pick<Addressed, "protocol">): boolean {
  return protocol === "https";
}

/**
 * Throws for a request that a page of another origin may have caused. Browsers send the origin with every change, and
 * Sec-Fetch-Site; a read without either header was typed into the address bar.
 */
export function checkOrigin(request: Sent): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isOurs = origin === undefined ? isRead : origin === ownUrl(request)?.origin;
  const isSameSite = site === undefined || site === "same-origin" || (isRead && site === "none");
  if (!(isOurs && isSameSite))
    throw forbidden("APPLICATION_FORBIDDEN", "The request comes from a page of another origin");
}

/**
 * True if both ends are on this machine. A local proxy would make every client look local, so forwarded requests do not
 * count.
 */
export function isFromThisMachine({
  raw,
  headers,
  protocol,
  host,
}: Addressed & Pick<FastifyRequest, "raw" | "headers">) {
  const isForwarded = "forwarded" in headers || "x-forwarded-for" in headers || "x-real-ip" in headers;
  return !isForwarded && isLoopback(raw.socket.remoteAddress) && isLoopbackName(ownUrl({ protocol, host })?.hostname);
}

/** Returns the URL that the browser addressed. */
function ownUrl({ protocol, host }: Addressed): URL | undefined {
  return URL.parse(`${protocol}://${host}`) ?? undefined;
}

export function isLoopbackName(name: string | undefined): boolean {
  return name === "localhost" || isLoopback(name?.replace(/^\[(.*)\]$/, "$1"));
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
