// Migrations that every service has. Databases record their class names: a name, its time and its SQL never change.

import type { MigrationInterface, QueryRunner } from "typeorm";
import { createArchiveV1, dropArchiveV1 } from "../archive/schema.ts";
import type { ArchiveKind } from "../archive/types.ts";
import {
  binaryOutboxV4,
  createOutboxV1,
  indexOutboxV2,
  jsonOutboxV3,
  ownRelayV3,
  sharedRelayV2,
  unindexOutboxV2,
} from "../events/outbox.ts";
import { createRetentionV1, dropRetentionV1, retainAuditV1, unretainAuditV1 } from "../retention/schema.ts";
import {
  type AuditedTable,
  auditTableV1,
  createAuditV1,
  dropAuditV1,
  forgetAuditV1,
  keepAuditV2,
} from "./audit-schema.ts";
import { createEraseCopiesV1, dropEraseCopiesV1 } from "./erase-schema.ts";
import { createIdempotencyV1, forgetEtagsV2, keepEtagsV2 } from "./idempotency.ts";
import { backfillCountsV1 } from "./list-counts-backfill.ts";
import {
  type CountedTable,
  createCountBackfillV1,
  createCountMovesV1,
  createCountsV1,
  dropCountsV1,
} from "./list-counts-schema.ts";
import { runtimeRole, type Schema } from "./schema.ts";
import { backfillSearchV1, restoreBackfillTableV1 } from "./search-backfill.ts";
import {
  createSearchFunctionsV1,
  createSearchTableV1,
  dropSearchFunctionsV1,
  dropSearchTableV1,
  type SearchedTable,
} from "./search-schema.ts";

export { auditTableV1, createCountMovesV1 };

type Migration = Schema["migrations"][number];
type Step = string | ((runner: QueryRunner) => Promise<void>);

interface Steps {
  readonly up: Step;
  readonly down: Step;
  /** False for steps that commit batches. */
  readonly isTransaction?: boolean;
}

/** The outbox, of a service whose first migration it is. */
export function createOutbox(schema: string): Migration {
  const role = runtimeRole({ name: schema });
  return migration("CreateOutbox1763720000000", {
    up: `GRANT SELECT ON ${schema}.migration TO ${role};${createOutboxV1(schema, role)}`,
    down: `DROP TABLE ${schema}.outbox`,
  });
}

/** Idempotency keys. */
export function createIdempotency(schema: string): Migration {
  return migration("CreateIdempotency1763727000000", {
    up: createIdempotencyV1(schema, runtimeRole({ name: schema })),
    down: `DROP TABLE ${schema}.idempotency`,
  });
}

/** ETags of idempotent answers. */
export function keepEtags(schema: string): Migration {
  return migration("KeepEtags1765080300000", { up: keepEtagsV2(schema), down: forgetEtagsV2(schema) });
}

/** Indexes of the outbox for the relay. */
export function indexOutbox(schema: string): Migration {
  return migration("IndexOutbox1763731000000", { up: indexOutboxV2(schema), down: unindexOutboxV2(schema) });
}

/** A relay role of the service's own. */
export function ownRelay(schema: string): Migration {
  return migration("OwnRelay1763750000000", { up: ownRelayV3(schema), down: sharedRelayV2(schema) });
}

/** Events in protobuf's binary format. */
export function binaryOutbox(schema: string): Migration {
  return migration("BinaryOutbox1763809100000", { up: binaryOutboxV4(schema), down: jsonOutboxV3(schema) });
}

/** The audit log of these tables. Later tables have a migration of their own. */
export function createAudit(schema: string, tables: readonly AuditedTable[]): Migration {
  return migration("CreateAudit1765000601000", {
    up: createAuditV1(schema, tables),
    down: dropAuditV1(schema, tables),
  });
}

/** Erasure of what the audit log, stored answers and the outbox hold of things whose texts are erased. */
export function eraseCopies(schema: string): Migration {
  return migration("EraseCopies1765010250000", { up: createEraseCopiesV1(schema), down: dropEraseCopiesV1(schema) });
}

/** What is kept for how long, and the audit log by it. */
export function createRetention(schema: string): Migration {
  return migration("CreateRetention1765020000000", {
    up: createRetentionV1(schema) + keepAuditV2(schema) + retainAuditV1(schema),
    down: unretainAuditV1(schema) + forgetAuditV1(schema) + dropRetentionV1(schema),
  });
}

/** Batches of the archive; after `createRetention`. */
export function createArchive(schema: string, kinds: readonly ArchiveKind[]): Migration {
  return migration("CreateArchive1765060000000", {
    up: createArchiveV1(schema, kinds),
    down: dropArchiveV1(schema),
  });
}

/** Text search: tables and triggers, then a backfill of older rows, in batches so that writers do not wait for all of it. */
export function createSearch(tables: readonly [SearchedTable, ...SearchedTable[]]): [Migration, Migration] {
  const { schema } = tables[0];
  const create = migration("CreateSearch1763760000000", {
    up: createSearchFunctionsV1(schema) + tables.map(createSearchTableV1).join(""),
    down: tables.map(dropSearchTableV1).join("") + dropSearchFunctionsV1(schema),
  });
  const backfill = migration("FillSearch1763760100000", {
    up: (runner) => backfillSearchV1(runner, schema, tables),
    down: restoreBackfillTableV1(schema),
    isTransaction: false,
  });
  return [create, backfill];
}

/** Row counts of lists, then a backfill that counts older rows. */
export function countRows(tables: readonly [CountedTable, ...CountedTable[]]): [Migration, Migration] {
  const { schema } = tables[0];
  const create = migration("CountRows1763770000000", {
    up: createCountBackfillV1(schema) + tables.map(createCountsV1).join(""),
    down: `${tables.map(dropCountsV1).join("")} DROP TABLE IF EXISTS ${schema}.count_backfill;`,
  });
  const backfill = migration("CountOlderRows1763770100000", {
    up: (runner) => backfillCountsV1(runner, schema, tables),
    down: createCountBackfillV1(schema),
    isTransaction: false,
  });
  return [create, backfill];
}

function migration(name: string, { up, down, isTransaction = true }: Steps): Migration {
  const run = async (runner: QueryRunner, step: Step) => {
    await (typeof step === "string" ? runner.query(step) : step(runner));
  };
  // The class is named as its property: TypeORM and deployments' tools read either name.
  const { [name]: named } = {
    [name]: class implements MigrationInterface {
      readonly name = name;
      readonly transaction = isTransaction;
      up = (runner: QueryRunner) => run(runner, up);
      down = (runner: QueryRunner) => run(runner, down);
    },
  };
  if (named === undefined) throw new Error(`no migration ${name}`);
  return named;
}
