import type { EntitySchema, MigrationInterface } from "typeorm";
import type { WatchedQueue } from "./queue/state.ts";

/** A service's part of the database. */
export interface Schema {
  /** Name of the PostgreSQL schema: the service's. */
  readonly name: string;
  readonly entities: readonly EntitySchema[];
  /** The baseline, then later changes, oldest first. Never edited after landing. */
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** Queues besides the outbox. */
  readonly queues?: readonly WatchedQueue[];
  /** The history that the baseline replaced (adopt.ts); undefined for a schema that began with a baseline. */
  readonly replaced?: Replaced;
}

export interface Replaced {
  /** The name of its newest migration. */
  readonly newest: string;
  /** The dump of the schema that it made, `schema.txt`. */
  readonly dump: URL;
}

/** The role that owns every table and runs migrations. */
export const ownerRole = "ems_owner";

/** The role that a service runs as: it reads and writes rows, and cannot change the schema. */
export function runtimeRole({ name }: Pick<Schema, "name">): string {
  return `ems_${name}`;
}

/** The role of the service's relay and workers, which handle every application's rows. */
export function relayRole({ name }: Pick<Schema, "name">): string {
  return `ems_${name}_relay`;
}

/** Whether the service publishes events. */
export function hasOutbox({ entities }: Schema): boolean {
  return entities.some(({ options }) => options.tableName === "outbox");
}

/** The name under which TypeORM records a migration. */
export function migrationName(migration: Schema["migrations"][number]): string {
  return new migration().name ?? migration.name;
}

/** The name of the newest migration of a schema that is up to date. */
export function newestMigration(schema: Schema): string | undefined {
  const names = schema.migrations.map(migrationName);
  // A migration's name ends in its time: thirteen digits, in milliseconds.
  return names.sort((a, b) => (a.slice(-13) < b.slice(-13) ? -1 : 1)).at(-1);
}
