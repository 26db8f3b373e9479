import pg, { type Pool } from "pg";
import { DataSource } from "typeorm";
import { parseJson } from "../json/exact-number.ts";
import type { Logger } from "../log.ts";
import { type Pooler, PoolerClient } from "./pooler.ts";
import { prefixRoles } from "./role-prefix.ts";
import type { Schema } from "./schema.ts";
import { typeormLog } from "./typeorm-log.ts";

export interface DataSourceOptions {
  readonly url: string;
  /** Pooler between the service and PostgreSQL, if any. */
  readonly pooler?: Pooler;
  readonly poolMax: number;
  readonly schema: Schema;
  readonly log: Logger;
  /** Application name in PostgreSQL; by default the service's name. */
  readonly applicationName?: string;
  /** PostgreSQL settings of each connection. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Maximum wait for a connection, in milliseconds; then the call fails with UNAVAILABLE. */
export const connectionWaitMs = 2_500;

/**
 * Maximum wait of migrations and operator commands for a connection. It is long, because a server is slow while it
 * recovers or its disk is slow.
 */
const ownerWaitMs = 60_000;

/**
 * After this long without data, TCP keep-alive probes test PostgreSQL's machine; the connection ends if it does not
 * respond.
 */
const keepAliveMs = 10_000;

// The pool's connections, TypeORM's and those of migrations read JSON alike, with all digits of its numbers.
for (const type of [pg.types.builtins.JSON, pg.types.builtins.JSONB]) pg.types.setTypeParser(type, parseJson);

/** Creates the data source of a service, for its runtime or relay role. */
export function serviceDataSource({
  url,
  pooler = "none",
  poolMax,
  schema,
  log,
  applicationName = `ems-${schema.name}`,
  settings = {},
}: DataSourceOptions): DataSource {
  // JIT off: compiling a plan takes longer than running it, and estimates for lists of large tables would trigger it.
  const all = { timezone: "UTC", jit: "off", ...settings };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  // A pooler rejects session options: each transaction gets the settings of its PoolerClient instead.
  const session = pooler === "none" ? { options: options.join(" ") } : { Client: PoolerClient, settings: all };
  const dataSource: DataSource = new DataSource({
    ...buildOptions(url, schema),
    applicationName,
    entities: [...schema.entities],
    // Logs lost connections, except those that end during shutdown.
    poolErrorHandler: (error: Error) =>
      dataSource.isInitialized && log.warn({ err: error }, "database connection lost"),
    extra: { max: poolMax, keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs, ...session },
  });
  return dataSource;
}

/** One connection as the schemas' owner, for migrations and operator commands. */
export function ownerDataSource(url: string, schema: Schema): DataSource {
  const dataSource = new DataSource({
    ...buildOptions(url, schema),
    connectTimeoutMS: ownerWaitMs,
    entities: [...schema.entities],
    migrations: [...schema.migrations],
    migrationsTableName: "migration",
    migrationsTransactionMode: "each",
    extra: { max: 1, options: "-c timezone=UTC" },
  });
  return prefixRoles(dataSource, url);
}

/** Returns the pool of an open data source. */
export function getPool(dataSource: DataSource): Pool {
  // TypeORM declares its drivers' pools loosely; the pool of "postgres" is a Pool of `pg`.
  return (dataSource.driver as unknown as { master: Pool }).master;
}

function buildOptions(url: string, { name }: Schema) {
  return {
    type: "postgres",
    // Passed explicitly: a bundle has no package that TypeORM could load by name.
    driver: pg,
    logger: typeormLog,
    url,
    schema: name,
    applicationName: `ems-${name}`,
    synchronize: false,
    installExtensions: false,
    connectTimeoutMS: connectionWaitMs,
  } as const;
}
