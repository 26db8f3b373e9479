// Experiments with an archive of its own: a worker that tests run, and rows to archive.

import {
  ArchiveWorker,
  archiveDdl,
  archiveOf,
  archiveOperator,
  type Batch,
  sourceOf,
  workerConfig,
} from "@ems/archive";
import { monotonicMs } from "@ems/kit/clock";
import { readConfig } from "@ems/kit/config";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { fixedClock, testClickhouse, testDatabase, testTenant } from "@ems/test-support";
import { afterAll, inject } from "vitest";
import { archivedKinds, archiveOptions } from "../src/lifecycle/archive/index.ts";
import { experimentsSchema } from "../src/schema.ts";

/** What tests of the archive need, on databases of their own. */
export async function archiveHarness(env: Record<string, string> = { ARCHIVE_AFTER_DAYS: "7" }) {
  const [database, clickhouse] = [await testDatabase(inject("postgres")), await testClickhouse()];
  const url = database.urlOf(experimentsSchema);
  const relayUrl = database.relayUrlOf(experimentsSchema);
  const config = { ...readConfig(workerConfig, { ...clickhouse.env, ...env }), DATABASE_URL: url };
  const log = createLog("experiments", "silent");
  const dataSource = await serviceDataSource({ url, poolMax: 4, schema: experimentsSchema, log }).initialize();
  const relayDatabase = new RelayDatabase({
    schema: experimentsSchema,
    url: relayUrl,
    poolMax: 2,
    log,
  });
  const clock = fixedClock();
  const deps = { database: new Database(dataSource), relayDatabase, clock, log };
  const [source, archive] = [sourceOf(config), archiveOf(config)];
  if (source === undefined || archive === undefined) throw new Error("the archive is configured");
  const server = source.client;
  for (const query of archiveDdl(
    archivedKinds.flatMap(({ tables }) => tables),
    config,
  )) {
    await server.command({ query });
  }
  afterAll(async () => {
    await server.close();
    await archive.close();
    await relayDatabase.close();
    await dataSource.destroy();
    await database.drop();
  });
  /** Archives what is due as a process of its own, which remembers nothing of others. */
  const archiveDue = (change: Partial<typeof config> = {}, onMoved?: (batch: Batch) => void) => {
    const changed = sourceOf({ ...config, ...change });
    if (changed === undefined) throw new Error("the archive is configured");
    return new ArchiveWorker(archiveOptions(relayDatabase), { ...deps, source: changed }, onMoved).run();
  };
  /** Works as an operator. */
  const operate = async <T>(work: (operator: Awaited<ReturnType<typeof archiveOperator>>) => Promise<T>) => {
    const ofOperator = { ...clickhouse.env, ...env, DATABASE_URL: url, RELAY_DATABASE_URL: relayUrl };
    const operator = await archiveOperator(ofOperator, experimentsSchema, archiveOptions, log);
    try {
      return await work(operator);
    } finally {
      await operator.close();
    }
  };
  const batches = (applicationId: string, kind = "results") =>
    database.sql<{ number: number; state: string; from: string; to: string; rows: string }>(
      `SELECT number, state, to_char(starts AT TIME ZONE 'UTC', 'DD"T"HH24:MI:SS') AS from,
         to_char(ends AT TIME ZONE 'UTC', 'DD"T"HH24:MI:SS') AS to, rows
       FROM experiments.archive_batch WHERE application_id = $1 AND kind = $2 ORDER BY starts, number`,
      [applicationId, kind],
    );
  const newCall = () => ({
    tenant: testTenant(),
    deadlineMs: monotonicMs() + 120_000,
    signal: new AbortController().signal,
  });
  return {
    ...deps,
    relayUrl,
    sql: database.sql,
    superuserUrl: database.superuserUrl,
    clickhouse,
    config,
    source,
    server,
    archive,
    archiveDue,
    operate,
    batches,
    newCall,
  };
}

type Sql = Awaited<ReturnType<typeof archiveHarness>>["sql"];

/** Tests with two evaluations each, one a second from `from` on. */
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

/** Traces with two steps and words each, one a second from `from` on. */
export async function addTraces(sql: Sql, applicationId: string, from: Date, count: number) {
  await sql("SELECT experiments.add_months(ARRAY[$1::date])", [from]);
  await sql(
    `WITH trace AS (
       INSERT INTO experiments.trace (application_id, id, org_id, timestamp, type, is_root_child, has_error, steps, bytes, step_count,
           total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, metadata, created_at, modified_at)
         SELECT $1, gen_random_uuid(), 'o', at, 'llm', false, n % 2 = 0, 2, 100, 2, 0.1 * n, n, 0, 0, 0, '{"k": "v"}', at, at
         FROM (SELECT n, $2::timestamptz + n * interval '1 second' AS at FROM generate_series(0, $3::integer - 1) n) times
       RETURNING *
     ), step AS (
       INSERT INTO experiments.trace_step (application_id, month, trace_id, id, timestamp, position, size, type, event, input, output, fields)
         SELECT t.application_id, date_trunc('month', t.created_at, 'UTC'), t.id, gen_random_uuid(), t.created_at, n, 50, 'llm', NULL,
           'input ' || n, NULL, '{"model": "m"}'
         FROM trace t, generate_series(0, 1) n
     )
     INSERT INTO experiments.trace_words (application_id, trace_id, part, created_at, words)
       SELECT application_id, id, part, created_at, ARRAY[part + 7, 9007199254740991, -20000] FROM trace, generate_series(0, 1) part`,
    [applicationId, from, count],
  );
}
