import pg from "pg";
import type { Logger } from "../log.ts";

export interface RelayPoolOptions {
  /** The database as the relay's role. */
  readonly url: string;
  readonly poolMax: number;
  readonly log: Logger;
}

/**
 * Connections as the role that sees every application's outboxes, inbox and deliveries, and nothing else: for what is done
 * for all applications at once. What is done on behalf of one goes through `Database`.
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
  pool.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  // One that is lost while somebody works with it is told to them by what they ask next; unheard it would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
