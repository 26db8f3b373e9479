import pg from "pg";
import type { Logger } from "../log.ts";
import { outliveLostConnections } from "./lost-connections.ts";

export interface RelayPoolOptions {
  /** The database as the service's relay role. */
  readonly url: string;
  readonly poolMax: number;
  readonly log: Logger;
}

/**
 * Connections as the service's relay role, which sees every application's events there, and what else its workers handle:
 * for what is done for all applications at once. What is done on behalf of one goes through `Database`.
 */
export function relayPool({ url, poolMax, log }: RelayPoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    application_name: "ems-relay",
    keepAlive: true,
    connectionTimeoutMillis: 2_500,
    options: "-c timezone=UTC -c statement_timeout=30s",
  });
  outliveLostConnections(pool);
  pool.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  return pool;
}
