// Experiments and traces with an archive of their own: tests run its workers and create rows to archive.

import { ArchiveWorker, archiveDdl, type Batch, createArchive, createSource, Stores, workerConfig } from "@ems/archive";
import { monotonicMs } from "@ems/kit/clock";
import { readConfig } from "@ems/kit/config";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { fixedClock, type TestDatabase, testClickhouse, testDatabase, testTenant } from "@ems/test-support";
import { afterAll, inject } from "vitest";
import { allKinds, archiveParts, getSchema, operateAs, rangeViews } from "./archive-parts.ts";

const log = createLog("archive", "silent");

/** Creates the harness of archive tests, on separate databases. `database` and `relayDatabase` are experiments'. */
export async function archiveHarness(env: Record<string, string> = { ARCHIVE_AFTER_DAYS: "7" }) {
  const [server, clickhouse] = [await testDatabase(inject("postgres")), await testClickhouse()];
  const { sql } = server;
  const parts = await openParts(server);
  const [{ database, relayDatabase, url }, tracesPart] = parts;
  const config = { ...readConfig(workerConfig, { ...clickhouse.env, ...env }), DATABASE_URL: url };
  const [source, archive] = [createSource(config), createArchive(config)];
  if (source === undefined || archive === undefined) throw new Error("the archive is configured");
  const clock = fixedClock();
  const tables = allKinds.flatMap((kind) => kind.tables);
  for (const query of archiveDdl(tables, config)) await source.client.command({ query });
  afterAll(async () => {
    await source.client.close();
    await archive.close();
    for (const part of parts) await part.close();
    await server.drop();
  });
  /** Archives due rows with new workers that share no state; a failure in one worker does not stop the others. */
  const archiveDue = async (change: Partial<typeof config> = {}, onMoved?: (batch: Batch) => void) => {
    const failures: unknown[] = [];
    for (const { options, ...own } of parts) {
      const changed = createSource({ ...config, DATABASE_URL: own.url, ...change });
      if (changed === undefined) throw new Error("the archive is configured");
      const worker = new ArchiveWorker(options(own.relayDatabase), { ...own, clock, log, source: changed }, onMoved);
      await worker.run().catch((error: unknown) => failures.push(error));
      await changed.client.close();
    }
    if (failures.length > 0) throw failures[0];
  };
  const batches = (applicationId: string, kind = "results") =>
    sql<{ number: number; state: string; from: string; to: string; rows: string }>(
      `SELECT number, state, to_char(starts AT TIME ZONE 'UTC', 'DD"T"HH24:MI:SS') AS from,
         to_char(ends AT TIME ZONE 'UTC', 'DD"T"HH24:MI:SS') AS to, rows
       FROM ${getSchema(kind)}.archive_batch WHERE application_id = $1 AND kind = $2 ORDER BY starts, number`,
      [applicationId, kind],
    );
  const newCall = () => ({
    tenant: testTenant(),
    deadlineMs: monotonicMs() + 120_000,
    signal: new AbortController().signal,
  });
  return {
    postgres: server,
    database,
    relayDatabase,
    tracesPart,
    clock,
    log,
    sql,
    clickhouse,
    config,
    source,
    server: source.client,
    archive,
    /** PostgreSQL and the archive, as experiments reads them. */
    stores: new Stores(database, archive, rangeViews),
    archiveDue,
    /** Runs a command as an operator would. */
    operate: <T>(work: Parameters<typeof operateAs<T>>[2]) => operateAs(server, { ...clickhouse.env, ...env }, work),
    batches,
    newCall,
  };
}

async function openParts(server: TestDatabase) {
  const [results, traces] = archiveParts;
  return [await openPart(server, results), await openPart(server, traces)] as const;
}

/** Opens a service's part of the archive. */
async function openPart(server: TestDatabase, { schema, options }: (typeof archiveParts)[number]) {
  const url = server.getUrl(schema);
  const dataSource = await serviceDataSource({ url, poolMax: 4, schema, log }).initialize();
  const relayDatabase = new RelayDatabase({ schema, url: server.getRelayUrl(schema), poolMax: 2, log });
  const close = () => Promise.all([relayDatabase.close(), dataSource.destroy()]);
  return { url, options, database: new Database(dataSource), relayDatabase, close };
}

type Sql = Awaited<ReturnType<typeof archiveHarness>>["sql"];

/** Adds tests with two evaluations each, one test per second starting at `from`. */
export async function addTests(sql: Sql, applicationId: string, from: Date, count: number, status = "COMPLETED") {
  await sql("SELECT experiments.add_months(ARRAY[$1::date])", [from]);
  await sql(
    `WITH test AS (
       INSERT INTO experiments.test (application_id, id, created_at, task_id, topic_id, run_id, duration_ms, passed, score_micro, org_id,
           run_type, status, definition_ids, message, prompt)
         SELECT $1, gen_random_uuid(), $2::timestamptz + n * interval '1 second', gen_random_uuid(), NULL, $4, n, n % 2 = 0, n * 1000, 'o',
           'MANUAL', $5, CASE n % 3 WHEN 0 THEN '{}' WHEN 1 THEN ARRAY[$4::uuid] ELSE ARRAY[$4, $4]::uuid[] END,
           E'a\\tb\\\\n\\n"é🙂\\x0b' || n, CASE WHEN n % 2 = 0 THEN '{"a": "b\\\\n"}'::json END
         FROM generate_series(0, $3::integer - 1) n
       RETURNING *
     )
     INSERT INTO experiments.evaluation (application_id, id, created_at, score_micro, test_id, run_id, task_id, definition_id, passed,
         org_id, definition_type, status, results, cost_micro)
       SELECT t.application_id, gen_random_uuid(), t.created_at, -t.score_micro, t.id, t.run_id, t.task_id, $4, t.passed, 'o', 'FACT',
         'COMPLETED', '{}', 9007199254740993
       FROM test t, generate_series(1, 2)`,
    [applicationId, from, count, newId(), status],
  );
}

/** Adds traces with two steps and search words each, one trace per second starting at `from`. */
export async function addTraces(sql: Sql, applicationId: string, from: Date, count: number) {
  await sql("SELECT traces.add_months(ARRAY[$1::date])", [from]);
  await sql(
    `WITH trace AS (
       INSERT INTO traces.trace (application_id, id, org_id, timestamp, type, is_root_child, has_error, steps, bytes, step_count,
           total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, metadata, created_at, modified_at)
         SELECT $1, gen_random_uuid(), 'o', at, 'llm', false, n % 2 = 0, 2, 100, 2, 0.1 * n, n, 0, 0, 0, '{"k": "v"}', at, at
         FROM (SELECT n, $2::timestamptz + n * interval '1 second' AS at FROM generate_series(0, $3::integer - 1) n) times
       RETURNING *
     ), step AS (
       INSERT INTO traces.trace_step (application_id, month, trace_id, id, timestamp, position, size, type, event, input, output, fields)
         SELECT t.application_id, date_trunc('month', t.created_at, 'UTC'), t.id, gen_random_uuid(), t.created_at, n, 50, 'llm', NULL,
           'input ' || n, NULL, '{"model": "m"}'
         FROM trace t, generate_series(0, 1) n
     )
     INSERT INTO traces.trace_words (application_id, trace_id, part, created_at, words)
       SELECT application_id, id, part, created_at, ARRAY[part + 7, 9007199254740991, -20000] FROM trace, generate_series(0, 1) part`,
    [applicationId, from, count],
  );
}
