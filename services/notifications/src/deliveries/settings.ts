// Settings of deliveries. The numbers are the design's; each can be changed.

import { isIPv4, isIPv6 } from "node:net";
import { ConfigError, count, list, milliseconds, z } from "@ems/kit/config";
import { isCidr, type PortRange, usualPorts } from "../hosts/index.ts";

const ports = () =>
  z
    .string()
    .regex(/^\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*$/, "must be ports and ranges of ports, such as 443,1024-65535")
    .transform((text): readonly PortRange[] =>
      text.split(",").map((part) => {
        const [first = 0, last = first] = part.split("-").map(Number);
        return { first, last };
      }),
    );

const servers = () => list().pipe(z.array(z.string().refine(isServer, "must be addresses, with a port or without")));

function isServer(text: string): boolean {
  const [, ipv6, ipv4, port = "53"] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return (isIPv6(ipv6 ?? "") || isIPv4(ipv4 ?? "")) && Number(port) > 0 && Number(port) < 65_536;
}

/** A header's name that neither HTTP nor the delivery itself uses. */
const headerName = () =>
  z
    .string()
    .toLowerCase()
    .regex(
      /^(?!webhook-|content-|host$|connection$|transfer-encoding$|user-agent$|expect$|upgrade$)[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/,
      {
        error: "must be a header's name that is not used already",
      },
    );

export const deliverySettings = {
  /** Blocks of addresses that deliveries may go to although they are not public, separated by commas: private installs. */
  WEBHOOK_ALLOW_CIDRS: list()
    .pipe(z.array(z.string().refine(isCidr, "must be blocks of addresses, such as 10.1.0.0/16")))
    .default([]),
  /** In production nothing is allowed that is not public, unless this says so too. */
  WEBHOOK_ALLOW_PRIVATE: z.enum(["yes", "no"]).default("no"),
  NODE_ENV: z.string().optional(),
  /**
   * Ports that webhooks may have, exactly: ports and ranges, such as `443,8443,9200-9299`. When not set, 443 and from 1024 on
   * all by which no other protocol is known (ports.ts).
   */
  WEBHOOK_PORTS: ports().default(usualPorts),
  /** A file of certificates (PEM) that are trusted beside the public ones. */
  WEBHOOK_CA_FILE: z.string().optional(),
  /** Name servers, `address` or `address:port`, separated by commas; the machine's own when empty. */
  DNS_SERVERS: servers().default([]),
  WEBHOOK_DNS_TIMEOUT_MS: milliseconds().default(3_000),
  WEBHOOK_CONNECT_TIMEOUT_MS: milliseconds().default(5_000),
  /** Names, connection and answer of one attempt together. */
  WEBHOOK_ATTEMPT_TIMEOUT_MS: milliseconds().default(15_000),
  /** Attempts at a time: of the process, and at one webhook. */
  WEBHOOK_CONCURRENCY: count().default(64),
  WEBHOOK_ENDPOINT_CONCURRENCY: count().default(4),
  /** How long a delivery stays with a worker that does not come back; at least twice the attempt. */
  WEBHOOK_LEASE_MS: milliseconds().default(30_000),
  WEBHOOK_POLL_MS: count().default(200),
  /** Nothing but failures for this long disables a webhook. */
  WEBHOOK_FAILING_MS: milliseconds().default(120 * 3_600_000),
  /** How long deliveries and their attempts are kept. */
  WEBHOOK_KEEP_DAYS: count().default(30),
  /** A second signature, for receivers of other products: its header's name turns it on (compat.ts). */
  WEBHOOK_COMPAT_SIGNATURE_HEADER: headerName().optional(),
  WEBHOOK_COMPAT_TIMESTAMP_HEADER: headerName().optional(),
  WEBHOOK_COMPAT_TIMESTAMP_UNIT: z.enum(["s", "ms"]).default("s"),
  WEBHOOK_COMPAT_ENCODING: z.enum(["hex", "base64"]).default("hex"),
  /** What is signed: text with {id}, {timestamp} and {body}. */
  WEBHOOK_COMPAT_CONTENT: z.string().default("{timestamp}.{body}"),
} satisfies z.ZodRawShape;

export type DeliveryConfig = z.infer<z.ZodObject<typeof deliverySettings>>;

/** What one variable alone cannot tell. Throws a `ConfigError`. */
export function checkDeliverySettings(config: DeliveryConfig): void {
  if (
    config.NODE_ENV === "production" &&
    config.WEBHOOK_ALLOW_CIDRS.length > 0 &&
    config.WEBHOOK_ALLOW_PRIVATE !== "yes"
  ) {
    throw new ConfigError([
      "WEBHOOK_ALLOW_CIDRS opens private addresses: in production it needs WEBHOOK_ALLOW_PRIVATE=yes",
    ]);
  }
  if (config.WEBHOOK_LEASE_MS < 2 * config.WEBHOOK_ATTEMPT_TIMEOUT_MS) {
    throw new ConfigError(["WEBHOOK_LEASE_MS must be at least twice WEBHOOK_ATTEMPT_TIMEOUT_MS"]);
  }
}
