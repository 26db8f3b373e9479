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

/** One relay role for all services, as migrations once gave rights to; each service has its own since (retire-shared-relay.ts). */
export const sharedRelayRole = "ems_relay";

/** The role as which a service runs: it reads and writes rows, and changes no schema. */
export function runtimeRole({ name }: Pick<Schema, "name">): string {
  return `ems_${name}`;
}

/**
 * The role that does what is done for all applications at once, in this service alone: it carries events out of the
 * outbox, and what else the service's workers do.
 */
export function relayRole({ name }: Pick<Schema, "name">): string {
  return `ems_${name}_relay`;
}

/** Whether the service has events to tell, and a relay that carries them. */
export function hasOutbox({ entities }: Schema): boolean {
  return entities.some(({ options }) => options.tableName === "outbox");
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
