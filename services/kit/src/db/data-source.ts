import pg, { type Pool } from "pg";
import { DataSource } from "typeorm";
import type { Logger } from "../log.ts";
import { type Pooler, PoolerClient } from "./pooler.ts";
import { prefixRoles } from "./role-prefix.ts";
import type { Schema } from "./schema.ts";
import { typeormLog } from "./typeorm-log.ts";

export interface DataSourceOptions {
  readonly url: string;
  /** What the URL leads to, if not PostgreSQL itself. */
  readonly pooler?: Pooler;
  readonly poolMax: number;
  readonly schema: Schema;
  readonly log: Logger;
  /** As PostgreSQL shows it; by default that of the service. */
  readonly applicationName?: string;
  /** PostgreSQL's settings on each connection. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The longest wait for a connection, after which a call is answered unavailable. */
export const connectionWaitMs = 2_500;

/** The longest wait of migrations and operator commands for a connection: a server is slow while it recovers or its disk is. */
const ownerWaitMs = 60_000;

/** After this long without a byte, PostgreSQL's machine is asked whether it is there; the connection ends when it does not say so. */
const keepAliveMs = 10_000;

/** A service's connections, as its runtime or relay role. */
export function serviceDataSource({
  url,
  pooler = "none",
  poolMax,
  schema,
  log,
  applicationName = `ems-${schema.name}`,
  settings = {},
}: DataSourceOptions): DataSource {
  // Compiling a plan takes longer than running it; estimates of lists of large tables would ask for it.
  const all = { timezone: "UTC", jit: "off", ...settings };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  // A pooler refuses the options of a session.
  const session = pooler === "none" ? { options: options.join(" ") } : { Client: PoolerClient, settings: all };
  const dataSource: DataSource = new DataSource({
    ...optionsOf(url, schema),
    applicationName,
    entities: [...schema.entities],
    // Connections that end during shutdown are expected.
    poolErrorHandler: (error: Error) =>
      dataSource.isInitialized && log.warn({ err: error }, "database connection lost"),
    extra: { max: poolMax, keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs, ...session },
  });
  return dataSource;
}

/** One connection as the schemas' owner, for migrations and operator commands. */
export function ownerDataSource(url: string, schema: Schema): DataSource {
  const dataSource = new DataSource({
    ...optionsOf(url, schema),
    connectTimeoutMS: ownerWaitMs,
    entities: [...schema.entities],
    migrations: [...schema.migrations],
    migrationsTableName: "migration",
    migrationsTransactionMode: "each",
    extra: { max: 1, options: "-c timezone=UTC" },
  });
  return prefixRoles(dataSource, url);
}

/** The connections of an open data source. */
export function poolOf(dataSource: DataSource): Pool {
  // TypeORM types its drivers' pools loosely; for "postgres" it is the Pool of `pg`.
  return (dataSource.driver as unknown as { master: Pool }).master;
}

function optionsOf(url: string, { name }: Schema) {
  return {
    type: "postgres",
    // Given, because a bundle has no package that TypeORM could load by its name.
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
