// Public hosts: https, and only public addresses. Checked when a URL is set and at every connection, since DNS records
// may change in between (DNS rebinding).

import { isIP } from "node:net";
import { addressPolicy, canonicalAddress, onlyIn } from "./addresses.ts";
import { isPortIn, type PortRange } from "./ports.ts";
import { createResolve, type Resolve } from "./resolve.ts";

/** Result of checking a URL. Never names the address, which would disclose internal DNS. */
export type UrlCheck =
  | { readonly ok: true }
  /** The URL is not allowed. */
  | { readonly ok: false; readonly reason: "not_public" }
  /** Name servers do not respond at the moment. */
  | { readonly ok: false; readonly reason: "resolver" };

/** Checked addresses of a URL, or the reason why there are none. */
export type Target =
  | { readonly ok: true; readonly url: URL; readonly host: string; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly reason: "not_public" | "name_not_found" | "resolver" };

export interface PublicHosts {
  /** Checks a URL that is being set, without the cache. */
  checkUrl(url: string): Promise<UrlCheck>;
  /** Resolves the URL's host for a connection attempt. DNS results are cached for a few seconds. */
  target(url: string): Promise<Target>;
}

export interface PublicHostsOptions {
  /** Private addresses that are also allowed. */
  readonly allowCidrs: readonly string[];
  /** Addresses, private or not, that may be reached without TLS: any name is allowed if it resolves only to them. */
  readonly plainCidrs?: readonly string[];
  readonly ports: readonly PortRange[];
  /** `address` or `address:port`; the machine's own name servers if empty. */
  readonly dnsServers: readonly string[];
  readonly dnsTimeoutMs: number;
}

/** DNS cache: shorter than the first backoff of 5 s, so that a retry resolves again. */
const cacheMs = 3_000;
const cachedMax = 10_000;

export function createPublicHosts(options: PublicHostsOptions): PublicHosts {
  const policies = { "https:": addressPolicy(options.allowCidrs), "http:": onlyIn(options.plainCidrs ?? []) };
  const resolve = createResolve({ servers: options.dnsServers, timeoutMs: options.dnsTimeoutMs });
  const resolveCached = cachedResolve(resolve);
  const targetBy = async (text: string, resolveName: Resolve): Promise<Target> => {
    const url = allowedUrl(text, options);
    if (url === undefined) return { ok: false, reason: "not_public" };
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const policy = policies[url.protocol === "http:" ? "http:" : "https:"];
    const literal = literalAddresses(host)?.filter((address, _, { length }) => length === 1 || policy.allows(address));
    const target =
      literal === undefined ? await resolveHost(host, resolveName) : { ok: true as const, addresses: literal };
    if (!target.ok) return target;
    if (target.addresses.length === 0 || !target.addresses.every((address) => policy.allows(address)))
      return { ok: false, reason: "not_public" };
    return { ok: true, url, host, addresses: target.addresses };
  };
  return {
    target: (url) => targetBy(url, resolveCached),
    checkUrl: async (url) => {
      const target = await targetBy(url, resolve);
      if (target.ok) return { ok: true };
      return { ok: false, reason: target.reason === "resolver" ? "resolver" : "not_public" };
    },
  };
}

/**
 * Addresses that need no DNS query: an address in the URL, in canonical notation, and the loopback addresses for
 * `localhost` (RFC 6761).
 */
function literalAddresses(host: string): string[] | undefined {
  if (host === "localhost") return ["127.0.0.1", "::1"];
  return isIP(host) === 0 ? undefined : [canonicalAddress(host)];
}

async function resolveHost(host: string, resolve: Resolve) {
  const resolution = await resolve(host);
  switch (resolution.kind) {
    case "found":
      return { ok: true as const, addresses: resolution.addresses };
    case "not_found":
      return { ok: false as const, reason: "name_not_found" as const };
    case "too_many":
      return { ok: false as const, reason: "not_public" as const };
    case "failed":
      return { ok: false as const, reason: "resolver" as const };
  }
}

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** A name with at least two labels of letters, digits and hyphens; the last label is not a number. */
const dottedName = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/;
/** Special-use names that public DNS never contains. */
const notPublicNames = /(^|\.)(localhost|local|onion|invalid|alt|arpa)$/;
/** Names in private networks: allowed if there is an allow list. */
const privateNames = /\.internal$/;

/** Parses the URL if everything except its addresses is allowed. */
function allowedUrl(text: string, { allowCidrs, plainCidrs = [], ports }: PublicHostsOptions): URL | undefined {
  const url = URL.parse(text);
  const isPlain = url?.protocol === "http:" && plainCidrs.length > 0;
  if (url === null || (url.protocol !== "https:" && !isPlain)) return undefined;
  // Check the text as well, because parsing drops an empty user or fragment.
  if (url.username !== "" || url.password !== "" || /#/.test(text) || /^[^/?#]*\/\/[^/?#\\]*@/.test(text))
    return undefined;
  const port = url.port === "" ? defaultPorts[url.protocol] : Number(url.port);
  if (port === undefined || !isPortIn(ports, port)) return undefined;
  const { hostname } = url;
  // Without TLS, only the operator's networks are reachable, so any name is allowed.
  if (isPlain || hostname.startsWith("[") || isIP(hostname) !== 0) return url;
  if (!dottedName.test(hostname) || notPublicNames.test(hostname)) return undefined;
  if (privateNames.test(hostname) && allowCidrs.length === 0) return undefined;
  return url;
}

/** Adds a cache of found addresses to `resolve`; concurrent calls for a name share one query. */
function cachedResolve(resolve: Resolve): Resolve {
  const answers = new Map<string, { readonly untilMs: number; readonly resolution: ReturnType<Resolve> }>();
  return (name) => {
    const nowMs = performance.now();
    const cached = answers.get(name);
    if (cached !== undefined && nowMs < cached.untilMs) return cached.resolution;
    const resolution = resolve(name);
    if (answers.size >= cachedMax) answers.clear();
    const answer = { untilMs: nowMs + cacheMs, resolution };
    answers.set(name, answer);
    resolution.then(({ kind }) => {
      if (kind !== "found" && answers.get(name) === answer) answers.delete(name);
    });
    return resolution;
  };
}
