import type { EntitySchema, MigrationInterface } from "typeorm";

/** A service's part of the database: what it is called, what lies in it, and how it came to be. */
export interface Schema {
  /** Name of the PostgreSQL schema: the service's. */
  readonly name: string;
  readonly entities: readonly EntitySchema[];
  /** Oldest first. Never edited after landing. */
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** The role that owns every table and runs migrations. */
export const ownerRole = "ems_owner";

/** The role that carries events out of outboxes. */
export const relayRole = "ems_relay";

/** The role as which a service runs: it reads and writes rows, and changes no schema. */
export function runtimeRole(schema: Schema): string {
  return `ems_${schema.name}`;
}

/** The name under which TypeORM keeps a migration that has run. */
export function migrationName(migration: Schema["migrations"][number]): string {
  return new migration().name ?? migration.name;
}

/** The name of the newest migration of a schema that is up to date. */
export function newestMigration(schema: Schema): string | undefined {
  const names = schema.migrations.map(migrationName);
  // A migration's name ends in its time: thirteen digits, in milliseconds.
  return names.sort((a, b) => (a.slice(-13) < b.slice(-13) ? -1 : 1)).at(-1);
}
