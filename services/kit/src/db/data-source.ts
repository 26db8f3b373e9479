import pg, { type Pool } from "pg";
import { DataSource } from "typeorm";
import type { Logger } from "../log.ts";
import type { Schema } from "./schema.ts";

export interface DataSourceOptions {
  readonly url: string;
  readonly poolMax: number;
  readonly schema: Schema;
  readonly log: Logger;
}

/** How long a call waits for a connection of the pool before it is told that the service is unavailable. */
export const connectionWaitMs = 2_500;

/** A service's connection to its schema, as its runtime role. It never changes the schema: migrations do (migrate.ts). */
export function serviceDataSource({ url, poolMax, schema, log }: DataSourceOptions): DataSource {
  const dataSource: DataSource = new DataSource({
    ...options(url, schema),
    entities: [...schema.entities],
    // A connection that ends while we let go of it is no loss.
    poolErrorHandler: (error: Error) =>
      dataSource.isInitialized && log.warn({ err: error }, "database connection lost"),
    extra: { max: poolMax, pipeline: true, keepAlive: true, options: "-c timezone=UTC" },
  });
  return dataSource;
}

/** One connection as the owner of a schema, for migrations and for what only operators do. */
export function ownerDataSource(url: string, schema: Schema): DataSource {
  return new DataSource({
    ...options(url, schema),
    entities: [...schema.entities],
    migrations: [...schema.migrations],
    migrationsTableName: "migration",
    migrationsTransactionMode: "each",
    extra: { max: 1, pipeline: true, options: "-c timezone=UTC" },
  });
}

/** The connections of an open data source. */
export function poolOf(dataSource: DataSource): Pool {
  // TypeORM types its drivers' pools loosely; for "postgres" it is the Pool of `pg`.
  return (dataSource.driver as unknown as { master: Pool }).master;
}

function options(url: string, { name }: Schema) {
  return {
    type: "postgres",
    // Given, because a bundle has no package that TypeORM could load by its name.
    driver: pg,
    url,
    schema: name,
    applicationName: `ems-${name}`,
    synchronize: false,
    installExtensions: false,
    connectTimeoutMS: connectionWaitMs,
  } as const;
}
