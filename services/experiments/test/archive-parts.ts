// Opens the archives of experiments and traces on one database and one ClickHouse server.

import { type ArchiveKind, type ArchiveOperator, archiveOperator, joinOperators } from "@ems/archive";
import { createLog } from "@ems/kit/log";
import type { TestDatabase } from "@ems/test-support";
import { archivedKinds as archivedTraces, archiveOptions as traceOptions } from "@ems/traces/archive";
import { tracesSchema } from "@ems/traces/schema";
import { archivedKinds as archivedResults, archiveOptions as resultOptions } from "../src/lifecycle/archive/index.ts";
import { experimentsSchema } from "../src/schema.ts";

export const archiveParts = [
  { schema: experimentsSchema, options: resultOptions },
  { schema: tracesSchema, options: traceOptions },
] as const;

/** Archived kinds of both services. */
export const allKinds = [...archivedResults, ...archivedTraces];

export const getSchema = (kind: string) => (kind === "traces" ? "traces" : "experiments");

/** Views from which experiments reads the archived ranges, by kind. */
export const rangeViews: Readonly<Record<ArchiveKind, string>> = {
  results: "experiments.archive_extent",
  traces: "experiments.trace_archive_v1",
};

/** Runs archive commands as an operator of both services would. */
export async function operateAs<T>(
  database: TestDatabase,
  env: Readonly<Record<string, string>>,
  work: (operator: ArchiveOperator) => Promise<T>,
): Promise<T> {
  const opened: ArchiveOperator[] = [];
  for (const { schema, options } of archiveParts) {
    const urls = { DATABASE_URL: database.getUrl(schema), RELAY_DATABASE_URL: database.getRelayUrl(schema) };
    opened.push(await archiveOperator({ ...env, ...urls }, schema, options, createLog(schema.name, "silent")));
  }
  const operator = joinOperators(opened);
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}
