// Client address behind trusted proxies, and the network that counts as one client.

import type { IncomingMessage } from "node:http";
import { z } from "@ems/kit/config";
import type { FastifyServerOptions } from "fastify";
import ipaddr from "ipaddr.js";

/** Value of Fastify's `trustProxy`: none, address blocks, or a predicate on the number of hops. */
export type TrustedProxies = Exclude<FastifyServerOptions["trustProxy"], undefined>;

const hopsMax = 16;
const expected = "must be a number of proxies, such as 1, or their addresses as CIDRs, such as 10.0.0.0/8,fd00::/8";

export const trustedProxies = () =>
  z
    .string()
    .refine((text) => text !== "true", {
      error: `${expected}: "true" would trust any address that a client puts into X-Forwarded-For`,
      abort: true,
    })
    .refine((text) => isHops(text) || cidrs(text).every(isBlock), expected)
    .transform((text): TrustedProxies => {
      if (!isHops(text)) return cidrs(text);
      // Fastify rejects a plain number, because a client that connects directly could forge the header. Operators who
      // set the number assert that no client can connect directly.
      const hops = Number(text);
      return hops === 0 ? false : (_address, hop) => hop < hops;
    });

function isHops(text: string): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) <= hopsMax;
}

function cidrs(text: string): string[] {
  return text.split(",").map((block) => block.trim());
}

function isBlock(text: string): boolean {
  return ipaddr.isValidCIDR(text) || ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** Returns the client's address as Fastify does: the nearest one that is not a trusted proxy. */
export function clientAddress(
  {
    socket,
    headers,
  }: Pick<IncomingMessage, "headers"> & { readonly socket: { readonly remoteAddress?: string | undefined } },
  proxies: TrustedProxies,
): string {
  const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
  const hops = [socket.remoteAddress ?? "", ...forwarded.map((address) => address.trim()).reverse()].filter(
    (address) => address !== "",
  );
  const isTrusted = toPredicate(proxies);
  return hops.find((address, hop) => !isTrusted(address, hop)) ?? hops.at(-1) ?? "";
}

function toPredicate(proxies: TrustedProxies): (address: string, hop: number) => boolean {
  if (typeof proxies === "function") return proxies;
  if (!Array.isArray(proxies)) return () => false;
  const blocks = proxies.map((block) => (ipaddr.isValidCIDR(block) ? ipaddr.parseCIDR(block) : singleAddress(block)));
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return blocks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits]));
  };
}

function singleAddress(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.process(address);
  return [parsed, parsed.kind() === "ipv4" ? 32 : 128];
}

/** Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function clientNetwork(address: string): string {
  // A trusted proxy may forward text that is not an address.
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(":")}::/64`;
}
