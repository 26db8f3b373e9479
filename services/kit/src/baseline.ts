// The first migration of a service: its whole schema as of the newest version that was never published. Its tables are plain SQL
// beside the entities (schema.sql); what every service has is made by the functions below. Later changes are migrations of their own.

import { readFileSync } from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";
import { baselineName } from "./db/adopt.ts";
import { type AuditedTable, auditSql, auditTriggersSql } from "./db/audit-schema.ts";
import { eraseCopiesSql } from "./db/erase-schema.ts";
import { idempotencySql } from "./db/idempotency.ts";
import { type CountedTable, countMovesSql, countsSql } from "./db/list-counts-schema.ts";
import { runtimeRole, type Schema } from "./db/schema.ts";
import { type SearchedTable, searchFunctionsSql, searchTableSql } from "./db/search-schema.ts";
import { outboxSql } from "./events/outbox.ts";
import { retentionSql } from "./retention/schema.ts";

export interface Baseline {
  readonly schema: string;
  /** Files of SQL, in the order in which they are run. */
  readonly files: readonly URL[];
  /** Tables whose changes the audit log has. */
  readonly audited: readonly AuditedTable[];
  readonly searched?: readonly Omit<SearchedTable, "schema">[];
  /** Tables whose rows are counted; `moves` is a time that may change. */
  readonly counted?: readonly (Omit<CountedTable, "schema"> & { readonly moves?: string })[];
  /** Erased texts leave the audit log, stored answers and the outbox, too. */
  readonly erasesCopies?: boolean;
}

/** The files with these paths, relative to the module with that URL. */
export function sqlFiles(moduleUrl: string, paths: readonly string[]): URL[] {
  return paths.map((path) => new URL(path, moduleUrl));
}

export function baseline(options: Baseline): Schema["migrations"][number] {
  return baselineOf(() => statements(options));
}

/** The baseline of a service that has views of others alone. */
export function baselineOfViews(schema: string): Schema["migrations"][number] {
  return baselineOf(() => [grantMigrations(schema)]);
}

function baselineOf(makeStatements: () => readonly string[]): Schema["migrations"][number] {
  // TypeORM sorts migrations by the digits that end their names.
  return class implements MigrationInterface {
    readonly name = baselineName;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of makeStatements()) await runner.query(statement);
    }

    async down(): Promise<void> {
      throw new Error("there is no version before the baseline: restore a backup");
    }
  };
}

function statements(options: Baseline): string[] {
  const { schema, files, audited, searched = [], counted = [], erasesCopies = false } = options;
  return [
    grantMigrations(schema),
    outboxSql(schema),
    idempotencySql(schema),
    retentionSql(schema),
    auditSql(schema),
    ...(erasesCopies ? [eraseCopiesSql(schema)] : []),
    ...(searched.length > 0 ? [searchFunctionsSql(schema)] : []),
    ...files.map((file) => readFileSync(file, "utf8")),
    ...searched.map((table) => searchTableSql({ schema, ...table })),
    ...counted.flatMap(({ moves, ...table }) => [
      countsSql({ schema, ...table }),
      ...(moves === undefined ? [] : [countMovesSql({ schema, ...table }, moves)]),
    ]),
    ...audited.map((table) => auditTriggersSql(schema, table)),
  ];
}

/** A service checks which migrations were run before it is ready. */
function grantMigrations(schema: string): string {
  return `GRANT SELECT ON ${schema}.migration TO ${runtimeRole({ name: schema })}`;
}
