import type { EntitySchema, MigrationInterface } from "typeorm";
import type { WatchedQueue } from "./queue/state.ts";

/** A service's part of the database. */
export interface Schema {
  /** Name of the PostgreSQL schema, which is the service's name. */
  readonly name: string;
  readonly entities: readonly EntitySchema[];
  /** The baseline, then later changes, oldest first. Never edited after release. */
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** Queues other than the outbox. */
  readonly queues?: readonly WatchedQueue[];
  /** History that the baseline replaced (adopt.ts); undefined for a schema that began with a baseline. */
  readonly replaced?: Replaced;
}

export interface Replaced {
  /** Name of the newest replaced migration. */
  readonly newest: string;
  /** Dump of the schema that the replaced migrations created, `schema.txt`. */
  readonly dump: URL;
}

/** Role that owns every table and runs migrations. */
export const ownerRole = "ems_owner";

/** Role of a service at run time: it reads and writes rows, and cannot change the schema. */
export function runtimeRole({ name }: Pick<Schema, "name">): string {
  return `ems_${name}`;
}

/** Role of the service's relay and workers, which process every application's rows. */
export function relayRole({ name }: Pick<Schema, "name">): string {
  return `ems_${name}_relay`;
}

/** Returns true if the service publishes events. */
export function hasOutbox({ entities }: Schema): boolean {
  return entities.some(({ options }) => options.tableName === "outbox");
}

/** Name under which TypeORM records a migration. */
export function migrationName(migration: Schema["migrations"][number]): string {
  return new migration().name ?? migration.name;
}

/** Name of the newest migration of a current schema. */
export function newestMigration(schema: Schema): string | undefined {
  const names = schema.migrations.map(migrationName);
  // A migration's name ends in its time: thirteen digits, in milliseconds.
  return names.sort((a, b) => (a.slice(-13) < b.slice(-13) ? -1 : 1)).at(-1);
}
