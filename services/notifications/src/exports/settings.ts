import { count, milliseconds, z } from "@ems/kit/config";
import {
  type CheckedHttp,
  cidrs,
  createCheckedHttp,
  createPublicHosts,
  type PublicHosts,
  tlsContext,
  usualPorts,
} from "@ems/kit/hosts";

export const exportSettings = {
  EXPORT_ALLOW_CIDRS: cidrs()
    .default([])
    .describe(
      "Private addresses of storage that exports may use, as CIDRs joined by commas. Plain http is allowed there.",
    ),
  EXPORT_CA_FILE: z
    .string()
    .optional()
    .describe("Certificates (PEM) trusted for storage of exports, in addition to the public ones."),
  EXPORT_CONCURRENCY: count()
    .default(2)
    .describe("Maximum number of objects that a process exports at the same time, of all applications."),
  EXPORT_DELAY_MS: milliseconds()
    .default(1_200_000)
    .describe(
      "Time from the end of a period to its export; longer than SETTLE_MAX_MS, after which its traces are complete.",
    ),
  EXPORT_LEASE_MS: milliseconds()
    .min(2_000)
    .default(300_000)
    .describe("Lease of an export, after which another process continues it. Limits the export of one object, too."),
};

export type ExportConfig = z.infer<z.ZodObject<typeof exportSettings>> & { readonly DNS_SERVERS: readonly string[] };

const dnsTimeoutMs = 3_000;
const connectTimeoutMs = 5_000;
/** Answers are short: errors, and the object of a test. */
const answerBytesMax = 64 * 1024;

/** Hosts of storage, and HTTP to them. */
export interface Storage {
  readonly hosts: PublicHosts;
  readonly http: CheckedHttp;
}

export function createStorage(config: ExportConfig): Storage {
  const hosts = createPublicHosts({
    allowCidrs: config.EXPORT_ALLOW_CIDRS,
    plainCidrs: config.EXPORT_ALLOW_CIDRS,
    ports: usualPorts,
    dnsServers: config.DNS_SERVERS,
    dnsTimeoutMs,
  });
  const secureContext = tlsContext(config.EXPORT_CA_FILE);
  return { hosts, http: createCheckedHttp({ hosts, secureContext, connectTimeoutMs, answerBytesMax }) };
}
