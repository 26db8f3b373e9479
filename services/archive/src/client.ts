import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { ArchiveConfig } from "./config.ts";

/** Maximum duration of a request, whatever the caller's deadline. */
export const requestMs = 600_000;

/**
 * Creates a client of the archive's server; undefined if none is configured. `database`, which must exist, applies to
 * unqualified names.
 */
export function archiveClient(config: ArchiveConfig, database?: string): ClickHouseClient | undefined {
  if (config.CLICKHOUSE_URL === undefined) return undefined;
  const caFile = config.CLICKHOUSE_CA_FILE;
  return createClient({
    url: config.CLICKHOUSE_URL,
    username: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD ?? "",
    application: "ems",
    ...(database !== undefined && { database }),
    request_timeout: requestMs,
    use_multipart_params_auto: true,
    // The client logs nothing: errors are thrown, and their handlers log them.
    log: { level: ClickHouseLogLevel.OFF },
    ...(caFile !== undefined && { tls: { ca_cert: trusted(caFile) } }),
  });
}

/** Settings that name the application of a query; row policies use them to filter rows. */
export function ofApplication(applicationId: string) {
  return { log_comment: applicationId };
}

/** Removes statement, values and unreadable rows from ClickHouse's error, so that it can be logged. */
export function withoutStatement(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) return error;
  return new Error(`ClickHouse failed: ${error.type ?? "unknown"} (${error.code})`);
}

function trusted(file: string): Buffer {
  return Buffer.from([...getCACertificates("default"), readFileSync(file, "utf8")].join("\n"));
}
