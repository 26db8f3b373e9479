// What operators do with the archive, in a process of their own: look, work, prove, and bring back.

import {
  type ArchiveKind,
  archiveDifferences,
  type Batch,
  type BatchDifference,
  batchesWhere,
  Carrier,
  carrierConfig,
  sourceOf,
} from "@ems/kit/archive";
import { systemClock } from "@ems/kit/clock";
import { postgresUrl, readConfig } from "@ems/kit/config";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import { experimentsSchema } from "../schema.ts";
import { dropDue } from "./drop.ts";
import { archiveOptions, tablesOf } from "./kinds.ts";
import { restoreBatch } from "./restore.ts";

export interface ArchivedMonth {
  readonly kind: ArchiveKind;
  readonly applicationId: string;
  readonly month: string;
  readonly state: string;
  readonly batches: number;
  readonly rows: number;
  /** The end of the last batch. */
  readonly until: Date;
}

export type Difference = BatchDifference & Pick<Batch, "applicationId" | "kind" | "number" | "to">;

const months = `SELECT b.kind, b.application_id AS "applicationId", to_char((b.ends - interval '1 ms') AT TIME ZONE 'UTC', 'YYYY-MM') AS month, b.state,
    count(*)::int AS batches, sum(b.rows)::float8 AS rows, max(b.ends) AS until
  FROM experiments.archive_batch b GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
const read = batchesWhere(
  "experiments",
  `b.state = ANY ($1) AND ($2::uuid IS NULL OR b.application_id = $2)
    AND ($3::text IS NULL OR b.kind = $3) AND ($4::text IS NULL OR to_char((b.ends - interval '1 ms') AT TIME ZONE 'UTC', 'YYYY-MM') = $4)
    AND b.ends > experiments.kept_since(b.kind)
  ORDER BY b.application_id, b.kind, b.starts`,
);

export interface Scope {
  readonly application?: string;
  readonly kind?: string;
  readonly month?: string;
}

export type ArchiveOperator = Awaited<ReturnType<typeof archiveOperator>>;

/** `env` has the settings of experiments. */
export async function archiveOperator(env: Readonly<Record<string, string | undefined>>, log: Logger) {
  const shape = { ...carrierConfig, DATABASE_URL: postgresUrl(), RELAY_DATABASE_URL: postgresUrl() };
  const config = readConfig(shape, env);
  const schema = experimentsSchema;
  const dataSource = await serviceDataSource({ url: config.DATABASE_URL, poolMax: 2, schema, log }).initialize();
  const relayDatabase = new RelayDatabase({ schema, url: config.RELAY_DATABASE_URL, poolMax: 2, log });
  const database = new Database(dataSource);
  const source = sourceOf(config);
  if (source === undefined) throw new Error("CLICKHOUSE_URL is not set");
  const deps = { database, relayDatabase, source, clock: systemClock, log };
  const batchesOf = (states: readonly string[], { application, kind, month }: Scope = {}) =>
    relayDatabase.query<Batch>({ text: read, values: [states, application ?? null, kind ?? null, month ?? null] });

  return {
    status: () => relayDatabase.query<ArchivedMonth & { [column: string]: unknown }>({ text: months }),

    /** For how long the oldest rows have been due that are not carried. */
    lagMs: () => new Carrier(archiveOptions, deps).lagMs(),

    /** Carries and drops what is due, all of it, and tells each batch. */
    async run(signal: AbortSignal, onMoved: (batch: Batch) => void): Promise<void> {
      await new Carrier({ ...archiveOptions, onCarried: onMoved }, deps).run(signal);
      signal.throwIfAborted();
      const days = config.ARCHIVE_DROP_AFTER_DAYS;
      while (days !== undefined && (await dropDue(deps, days, signal, onMoved)) > 0);
    },

    /** Compares every batch that is read: ClickHouse's rows with those of PostgreSQL, or with what it had when they were dropped. */
    async verify(signal: AbortSignal): Promise<{ batches: number; rows: number; differences: Difference[] }> {
      const batches = await batchesOf(["published", "dropped"]);
      const differences: Difference[] = [];
      for (const batch of batches) {
        signal.throwIfAborted();
        const { applicationId, kind, number, to } = batch;
        const found = await archiveDifferences(deps, tablesOf(kind), batch);
        differences.push(...found.map((one) => ({ applicationId, kind, number, to, ...one })));
      }
      return { batches: batches.length, rows: batches.reduce((sum, { rows }) => sum + rows, 0), differences };
    },

    /** Brings dropped batches back, and tells each; what came back before an error stays. */
    async restore(scope: Scope, signal: AbortSignal, onRestored: (batch: Batch) => void): Promise<void> {
      for (const { applicationId, kind, number } of await batchesOf(["dropped"], scope)) {
        signal.throwIfAborted();
        const restored = await restoreBatch(deps, { applicationId, orgId: "" }, kind, number);
        if (restored !== undefined) onRestored(restored);
      }
    },

    async close() {
      await Promise.all([source.client.close(), relayDatabase.close(), dataSource.destroy()]);
    },
  };
}
