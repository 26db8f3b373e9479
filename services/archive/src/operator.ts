// Archive commands for operators: status, run, verify, restore.

import { systemClock } from "@ems/kit/clock";
import { postgresUrl, readConfig } from "@ems/kit/config";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Schema } from "@ems/kit/db/schema";
import type { Logger } from "@ems/kit/log";
import { type Batch, batchesWhere } from "./batches.ts";
import { workerConfig } from "./config.ts";
import { createSource } from "./copy.ts";
import { type ArchiveOptions, getKind } from "./kind.ts";
import { restoreBatch } from "./restore.ts";
import type { ArchiveKind } from "./types.ts";
import { archiveDifferences, type BatchDifference } from "./verify.ts";
import { ArchiveWorker } from "./worker.ts";

export interface ArchivedMonth {
  readonly kind: ArchiveKind;
  readonly applicationId: string;
  readonly month: string;
  readonly state: string;
  readonly batches: number;
  readonly rows: number;
  /** End of the last batch. */
  readonly until: Date;
}

export type Difference = BatchDifference & Pick<Batch, "applicationId" | "kind" | "number" | "to">;

export interface Scope {
  readonly application?: string;
  readonly kind?: string;
  readonly month?: string;
}

export type ArchiveOperator = Awaited<ReturnType<typeof archiveOperator>>;

/** `env` contains the settings of the service that owns the schema. */
export async function archiveOperator(
  env: Readonly<Record<string, string | undefined>>,
  schema: Schema,
  createOptions: (relayDatabase: RelayDatabase) => ArchiveOptions,
  log: Logger,
) {
  const shape = { ...workerConfig, DATABASE_URL: postgresUrl(), RELAY_DATABASE_URL: postgresUrl() };
  const config = readConfig(shape, env);
  const source = createSource(config);
  if (source === undefined) throw new Error("CLICKHOUSE_URL is not set");
  const dataSource = await serviceDataSource({ url: config.DATABASE_URL, poolMax: 2, schema, log }).initialize();
  const relayDatabase = new RelayDatabase({ schema, url: config.RELAY_DATABASE_URL, poolMax: 2, log });
  const database = new Database(dataSource);
  const options = createOptions(relayDatabase);
  const deps = { database, relayDatabase, source, clock: systemClock, log };
  const month = "to_char((b.ends - interval '1 ms') AT TIME ZONE 'UTC', 'YYYY-MM')";
  const months = `SELECT b.kind, b.application_id AS "applicationId", ${month} AS month, b.state,
      count(*)::int AS batches, sum(b.rows)::float8 AS rows, max(b.ends) AS until
    FROM ${schema.name}.archive_batch b GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
  const archived = batchesWhere(
    schema.name,
    `b.state = 'dropped' AND ($1::uuid IS NULL OR b.application_id = $1) AND ($2::text IS NULL OR b.kind = $2)
      AND ($3::text IS NULL OR ${month} = $3) AND b.ends > ${schema.name}.kept_since(b.kind)
    ORDER BY b.application_id, b.kind, b.starts`,
  );
  const listBatches = ({ application, kind, month }: Scope = {}) =>
    relayDatabase.query<Batch>({ text: archived, values: [application ?? null, kind ?? null, month ?? null] });

  return {
    status: () => relayDatabase.query<ArchivedMonth & { [column: string]: unknown }>({ text: months }),

    /** Age of the oldest due rows that are not archived yet, in milliseconds. */
    lagMs: () => new ArchiveWorker(options, deps).lagMs(),

    /** Archives all due batches; calls `onMoved` for each. */
    run: (signal: AbortSignal, onMoved: (batch: Batch) => void) =>
      new ArchiveWorker(options, deps, onMoved).run(signal),

    /** Compares every batch's rows in ClickHouse with the sums that PostgreSQL had when the rows were moved. */
    async verify(signal: AbortSignal): Promise<{ batches: number; rows: number; differences: Difference[] }> {
      const batches = await listBatches();
      const differences: Difference[] = [];
      for (const batch of batches) {
        signal.throwIfAborted();
        const { applicationId, kind, number, to } = batch;
        const found = await archiveDifferences(deps, getKind(options, kind).tables, batch);
        differences.push(...found.map((difference) => ({ applicationId, kind, number, to, ...difference })));
      }
      return { batches: batches.length, rows: batches.reduce((sum, { rows }) => sum + rows, 0), differences };
    },

    /** Restores batches to PostgreSQL; calls `onRestored` for each. Batches restored before an error stay restored. */
    async restore(scope: Scope, signal: AbortSignal, onRestored: (batch: Batch) => void): Promise<void> {
      for (const { applicationId, kind, number } of await listBatches(scope)) {
        signal.throwIfAborted();
        const restored = await restoreBatch(deps, options, { applicationId, orgId: "" }, kind, number);
        if (restored !== undefined) onRestored(restored);
      }
    },

    async close() {
      await Promise.all([source.client.close(), relayDatabase.close(), dataSource.destroy()]);
    },
  };
}

/** Combines the archives of several services. */
export function joinOperators(operators: readonly ArchiveOperator[]): ArchiveOperator {
  return {
    status: async () => (await Promise.all(operators.map((operator) => operator.status()))).flat(),
    lagMs: async () => Math.max(...(await Promise.all(operators.map((operator) => operator.lagMs())))),
    // Continue with the other services if one fails.
    async run(signal, onMoved) {
      const failures: unknown[] = [];
      for (const operator of operators)
        await operator.run(signal, onMoved).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
    async verify(signal) {
      const results: Awaited<ReturnType<ArchiveOperator["verify"]>>[] = [];
      for (const operator of operators) results.push(await operator.verify(signal));
      const addUp = (key: "batches" | "rows") => results.reduce((sum, result) => sum + result[key], 0);
      return {
        batches: addUp("batches"),
        rows: addUp("rows"),
        differences: results.flatMap(({ differences }) => differences),
      };
    },
    async restore(scope, signal, onRestored) {
      for (const operator of operators) await operator.restore(scope, signal, onRestored);
    },
    close: async () => void (await Promise.all(operators.map((operator) => operator.close()))),
  };
}
