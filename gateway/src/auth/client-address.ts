// The address that a request comes from, where failures are counted: whose word is taken for it, and how much of it counts.

import { z } from "@ems/kit/config";
import type { FastifyServerOptions } from "fastify";
import ipaddr from "ipaddr.js";

/** What Fastify takes: nobody is believed, these blocks of addresses, or so many hops from here. */
export type TrustedProxies = Exclude<FastifyServerOptions["trustProxy"], undefined>;

const hopsMax = 16;
const text = "must be a number of proxies, such as 1, or their addresses as CIDRs, such as 10.0.0.0/8,fd00::/8";

export const trustedProxies = () =>
  z
    .string()
    .refine((given) => given !== "true", {
      error: `${text}: "true" would believe whatever address a client writes into X-Forwarded-For`,
      abort: true,
    })
    .refine((given) => isHops(given) || cidrs(given).every(isBlock), text)
    .transform((given): TrustedProxies => {
      if (!isHops(given)) return cidrs(given);
      // Fastify takes no number: who reaches this port directly could forge the header. That nobody does is the setting's claim.
      const hops = Number(given);
      return hops === 0 ? false : (_address, hop) => hop < hops;
    });

function isHops(given: string): boolean {
  return /^\d{1,2}$/.test(given) && Number(given) <= hopsMax;
}

function cidrs(given: string): string[] {
  return given.split(",").map((one) => one.trim());
}

function isBlock(one: string): boolean {
  return ipaddr.isValidCIDR(one) || ipaddr.IPv4.isValidFourPartDecimal(one) || ipaddr.IPv6.isValid(one);
}

/** The network that one client has to itself: an IPv4 address, or the /64 of an IPv6 address. */
export function clientNetwork(address: string): string {
  // A proxy that is believed may pass on what is no address.
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
