// The archives of experiments and traces joined, on the databases of a worker's environment.

import { type ArchiveOperator, archiveOperator, joinOperators } from "@ems/archive";
import { archivedKinds as archivedResults, archiveOptions as resultOptions } from "@ems/experiments/archive";
import { experimentsSchema } from "@ems/experiments/schema";
import { createLog } from "@ems/kit/log";
import type { TestDatabase } from "@ems/test-support";
import { archivedKinds as archivedTraces, archiveOptions as traceOptions } from "@ems/traces/archive";
import { tracesSchema } from "@ems/traces/schema";

const parts = [
  { schema: experimentsSchema, options: resultOptions, prefix: "EXPERIMENTS" },
  { schema: tracesSchema, options: traceOptions, prefix: "TRACES" },
];

export const archivedTables = [...archivedResults, ...archivedTraces].flatMap(({ tables }) => tables);

export function databaseUrls(database: TestDatabase): Record<string, string> {
  const urls = parts.flatMap(({ schema, prefix }) => [
    [`${prefix}_DATABASE_URL`, database.getUrl(schema)],
    [`${prefix}_RELAY_DATABASE_URL`, database.getRelayUrl(schema)],
  ]);
  return Object.fromEntries(urls);
}

export async function openOperator(env: Readonly<Record<string, string | undefined>>): Promise<ArchiveOperator> {
  const opened: ArchiveOperator[] = [];
  for (const { schema, options, prefix } of parts) {
    const urls = {
      DATABASE_URL: env[`${prefix}_DATABASE_URL`],
      RELAY_DATABASE_URL: env[`${prefix}_RELAY_DATABASE_URL`],
    };
    opened.push(await archiveOperator({ ...env, ...urls }, schema, options, createLog(schema.name, "silent")));
  }
  return joinOperators(opened);
}
