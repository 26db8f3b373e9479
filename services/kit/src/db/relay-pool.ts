import pg from "pg";
import type { Logger } from "../log.ts";
import { surviveConnectionLoss } from "./connection-loss.ts";
import { connectionWaitMs } from "./data-source.ts";

export interface RelayPoolOptions {
  /** The database as the service's relay role. */
  readonly url: string;
  readonly poolMax: number;
  readonly log: Logger;
}

/**
 * Connections as the service's relay role, which row-level security lets see every application's events and jobs. Work on
 * behalf of one application goes through `Database`.
 */
export function relayPool({ url, poolMax, log }: RelayPoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    application_name: "ems-relay",
    keepAlive: true,
    connectionTimeoutMillis: connectionWaitMs,
    options: "-c timezone=UTC -c statement_timeout=30s",
  });
  surviveConnectionLoss(pool);
  pool.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  return pool;
}
