// The first migration of a service: its whole schema as of the baseline commit. Tables are plain SQL next to the
// entities (schema.sql); the functions below create the parts that all services share. Later changes are separate
// migrations.

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
  /** SQL files, in order of execution. */
  readonly files: readonly URL[];
  /** Tables whose changes are recorded in the audit log. */
  readonly audited: readonly AuditedTable[];
  readonly searched?: readonly Omit<SearchedTable, "schema">[];
  /** Tables whose rows are counted; `moves` is a time column whose values may change. */
  readonly counted?: readonly (Omit<CountedTable, "schema"> & { readonly moves?: string })[];
  /** True if erasures also remove texts from the audit log, stored responses and the outbox. */
  readonly erasesCopies?: boolean;
}

/** Returns the URLs of the files with these paths, relative to the module. */
export function sqlFiles(moduleUrl: string, paths: readonly string[]): URL[] {
  return paths.map((path) => new URL(path, moduleUrl));
}

export function baseline(options: Baseline): Schema["migrations"][number] {
  return createBaseline(() => statements(options));
}

/** Baseline of a service that has only views of other services. */
export function baselineOfViews(schema: string): Schema["migrations"][number] {
  return createBaseline(() => [grantMigrations(schema)]);
}

function createBaseline(makeStatements: () => readonly string[]): Schema["migrations"][number] {
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

/** Lets a service read which migrations were run, for its readiness check. */
function grantMigrations(schema: string): string {
  return `GRANT SELECT ON ${schema}.migration TO ${runtimeRole({ name: schema })}`;
}
