import { ConfigError, count, milliseconds, retentionDays, z } from "@ems/kit/config";
import { cidrs, createPublicHosts, hostsConfig, type PortRange, type PublicHosts, usualPorts } from "@ems/kit/hosts";
import { attemptTimeoutMs, promptAttemptTimeoutMs, promptEndpointMax, webhookFailingMs } from "@ems/proto/limits";

const ports = () =>
  z
    .string()
    .regex(/^\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*$/, "must be ports and port ranges, such as 443,1024-65535")
    .transform((text): readonly PortRange[] =>
      text.split(",").map((part) => {
        const [first = 0, last = first] = part.split("-").map(Number);
        return { first, last };
      }),
    );

/** Accepts names of headers that neither HTTP nor the delivery itself uses. */
const headerName = () =>
  z
    .string()
    .toLowerCase()
    .regex(
      /^(?!webhook-|content-|host$|connection$|transfer-encoding$|user-agent$|expect$|upgrade$)[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/,
      {
        error: "must be a header name that is not already in use",
      },
    );

export const deliverySettings = {
  WEBHOOK_ALLOW_CIDRS: cidrs()
    .default([])
    .describe("Allowed private addresses of webhooks, as CIDRs joined by commas."),
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(["yes", "no"])
    .default("no")
    .describe("`yes` confirms WEBHOOK_ALLOW_CIDRS in production."),
  WEBHOOK_ALLOW_LOOPBACK: z
    .enum(["yes", "no"])
    .default("no")
    .describe(
      "`yes` allows webhooks at `http://127.0.0.1:<port>`, `localhost` and `[::1]`, for a receiver on this machine; refused in production, and where HOST or RPC_HOST is not loopback. `npm start` sets it.",
    ),
  HOST: z.string().optional().describe("Address of the API, where one machine runs all processes."),
  NODE_ENV: z.string().optional().describe("`production` in the image."),
  WEBHOOK_PORTS: ports()
    .default(usualPorts)
    .describe(
      "Allowed ports of webhooks, such as `443,8443,9200-9299`. Unset: 443, and ports from 1024 on that no other protocol uses.",
    ),
  WEBHOOK_CA_FILE: z
    .string()
    .optional()
    .describe("Certificates (PEM) trusted for webhooks, in addition to public ones."),
  ...hostsConfig,
  WEBHOOK_DNS_TIMEOUT_MS: milliseconds().default(3_000).describe("Timeout for resolving a webhook's host."),
  WEBHOOK_CONNECT_TIMEOUT_MS: milliseconds().default(5_000).describe("Timeout for connecting to a webhook."),
  WEBHOOK_ATTEMPT_TIMEOUT_MS: milliseconds().default(attemptTimeoutMs).describe("Timeout of a whole attempt."),
  WEBHOOK_CONCURRENCY: count().default(64).describe("Maximum number of concurrent attempts per process."),
  WEBHOOK_ENDPOINT_CONCURRENCY: count().default(4).describe("Maximum number of concurrent attempts per webhook."),
  WEBHOOK_LEASE_MS: milliseconds()
    .default(30_000)
    .describe(
      "Lease duration, after which another worker may claim the delivery; at least twice WEBHOOK_ATTEMPT_TIMEOUT_MS.",
    ),
  WEBHOOK_POLL_MS: count().default(200).describe("Interval at which a worker claims due deliveries."),
  PROMPT_CONCURRENCY: count().default(128).describe("Maximum number of concurrent prompt attempts per process."),
  PROMPT_ENDPOINT_CONCURRENCY: count()
    .default(promptEndpointMax)
    .describe("Maximum number of concurrent prompts per webhook."),
  PROMPT_ATTEMPT_TIMEOUT_MS: milliseconds()
    .default(promptAttemptTimeoutMs)
    .describe("Timeout of a whole prompt attempt."),
  PROMPT_LEASE_MS: milliseconds()
    .default(300_000)
    .describe("Lease duration of prompts; at least twice PROMPT_ATTEMPT_TIMEOUT_MS."),
  WEBHOOK_FAILING_MS: milliseconds()
    .default(webhookFailingMs)
    .describe("Duration of uninterrupted failures after which a webhook is disabled."),
  RETENTION_DAYS_DELIVERIES: retentionDays(4, "a delivery is retried for three days")
    .default(30)
    .describe("Retention of deliveries and their attempts, in days."),
  WEBHOOK_COMPAT_SIGNATURE_HEADER: headerName()
    .optional()
    .describe("Header of an additional signature, for receivers of other products. Unset: none."),
  WEBHOOK_COMPAT_TIMESTAMP_HEADER: headerName().optional().describe("Header of the additional signature's timestamp."),
  WEBHOOK_COMPAT_TIMESTAMP_UNIT: z
    .enum(["s", "ms"])
    .default("s")
    .describe("Unit of the additional signature's timestamp."),
  WEBHOOK_COMPAT_ENCODING: z.enum(["hex", "base64"]).default("hex").describe("Encoding of the additional signature."),
  WEBHOOK_COMPAT_CONTENT: z
    .string()
    .default("{timestamp}.{body}")
    .describe("Signed content of the additional signature: text with `{id}`, `{timestamp}` and `{body}`."),
} satisfies z.ZodRawShape;

export type DeliveryConfig = z.infer<z.ZodObject<typeof deliverySettings>>;

/** Creates the rules for the hosts that webhooks may have. */
export function webhookHosts(config: DeliveryConfig): PublicHosts {
  return createPublicHosts({
    allowCidrs: config.WEBHOOK_ALLOW_CIDRS,
    plainCidrs: config.WEBHOOK_ALLOW_LOOPBACK === "yes" ? loopback : [],
    ports: config.WEBHOOK_PORTS,
    dnsServers: config.DNS_SERVERS,
    dnsTimeoutMs: config.WEBHOOK_DNS_TIMEOUT_MS,
  });
}

const loopback = ["127.0.0.1/32", "::1/128"];

/** Checks rules that concern several variables. Throws a `ConfigError`. */
export function checkDeliverySettings(config: DeliveryConfig & Listening): void {
  if (
    config.NODE_ENV === "production" &&
    config.WEBHOOK_ALLOW_CIDRS.length > 0 &&
    config.WEBHOOK_ALLOW_PRIVATE !== "yes"
  ) {
    throw new ConfigError([
      "WEBHOOK_ALLOW_CIDRS allows private addresses: in production it needs WEBHOOK_ALLOW_PRIVATE=yes",
    ]);
  }
  if (config.WEBHOOK_ALLOW_LOOPBACK === "yes") checkLoopback(config);
  if (config.WEBHOOK_LEASE_MS < 2 * config.WEBHOOK_ATTEMPT_TIMEOUT_MS) {
    throw new ConfigError(["WEBHOOK_LEASE_MS must be at least twice WEBHOOK_ATTEMPT_TIMEOUT_MS"]);
  }
  if (config.PROMPT_LEASE_MS < 2 * config.PROMPT_ATTEMPT_TIMEOUT_MS) {
    throw new ConfigError(["PROMPT_LEASE_MS must be at least twice PROMPT_ATTEMPT_TIMEOUT_MS"]);
  }
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Addresses on which the process listens. */
interface Listening {
  readonly RPC_HOST?: string;
}

/**
 * Refuses webhooks on loopback if other machines can reach the installation: they could send requests to this machine.
 */
function checkLoopback({ NODE_ENV, HOST = "127.0.0.1", RPC_HOST = HOST }: DeliveryConfig & Listening): void {
  const opens = "WEBHOOK_ALLOW_LOOPBACK allows requests to this machine: it is refused";
  if (NODE_ENV === "production") throw new ConfigError([`${opens} in production`]);
  const isOpen = [HOST, RPC_HOST].some((host) => !loopbackHost.test(host));
  if (isOpen) throw new ConfigError([`${opens} where HOST or RPC_HOST is not loopback`]);
}
