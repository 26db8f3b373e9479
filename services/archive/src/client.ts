import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { ArchiveConfig } from "./config.ts";

/** The longest that a request takes, whatever its caller says. */
export const requestMs = 600_000;

/** A client of the archive's server; undefined when none is configured. `database` is that of bare names, and has to be there. */
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
    // Errors are thrown: their handlers log them.
    log: { level: ClickHouseLogLevel.OFF },
    ...(caFile !== undefined && { tls: { ca_cert: trusted(caFile) } }),
  });
}

/** Settings of a query that reads rows of the application: row policies show it these and no others. */
export function ofApplication(applicationId: string) {
  return { log_comment: applicationId };
}

/** An error for the log: ClickHouse's own repeats the statement with its values, and rows that it cannot read. */
export function withoutStatement(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) return error;
  return new Error(`ClickHouse failed: ${error.type ?? "unknown"} (${error.code})`);
}

function trusted(file: string): Buffer {
  return Buffer.from([...getCACertificates("default"), readFileSync(file, "utf8")].join("\n"));
}
