// A year of results for reports to be measured on, made by the database itself: a million evaluations in seconds, ten
// million in two minutes or so. The same rows wherever they are made.

import { addTo, rollups } from "@ems/test-support/rollups";
import pg from "pg";

export interface ApplicationToFill {
  readonly applicationId: string;
  readonly orgId: string;
  /** Number of evaluations; there are a tenth as many tests. */
  readonly evaluations: number;
}

interface FillOptions {
  /** False if some tests are in progress. Default: true. */
  readonly areOver?: boolean;
}

/** The year that the results are of. */
const reportingYear = { from: "2025-11-01T00:00:00Z", until: "2026-11-01T00:00:00Z" } as const;

const [topicCount, taskCount, definitionCount, testsPerRun] = [25, 2_000, 10, 500] as const;
const tables = ["experiments.test", "experiments.evaluation"] as const;

/**
 * Fills empty applications with topics, tasks, definitions, runs, tests and evaluations. `adminUrl` is a
 * superuser's, which bypasses row-level security. No other client may use the database meanwhile.
 */
export async function fillReporting(
  adminUrl: string,
  applications: readonly ApplicationToFill[],
  { areOver = false }: FillOptions = {},
): Promise<void> {
  const clients = [await connect(adminUrl), await connect(adminUrl)];
  const [client = await connect(adminUrl)] = clients;
  const run = async (...statements: string[]) => {
    for (const statement of statements) await client.query(statement);
  };
  try {
    await client.query(filling, [
      applications.map(({ applicationId }) => applicationId),
      applications.map(({ orgId }) => orgId),
      applications.map(({ evaluations }) => Math.ceil(evaluations / definitionCount)),
    ]);
    await run(...catalog, runs);
    await run(`SELECT experiments.add_months(ARRAY[${months.map(({ from }) => `'${from}'::date`).join(", ")}])`);
    // Indexes are made from all rows at once in a third of the time.
    const { drop, create } = await indexes(client);
    await run(...drop);
    const left = [...months];
    await Promise.all(
      clients.map(async (each) => {
        for (let month = left.shift(); month !== undefined; month = left.shift()) {
          await each.query(buildTests(month, areOver));
          await each.query(buildEvaluations(month));
        }
      }),
    );
    await run(...create);
    await run(...sums);
    await run("DROP TABLE filling", "VACUUM (ANALYZE)");
  } finally {
    for (const each of clients) await each.end();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const options = "-c timezone=UTC -c work_mem=256MB -c maintenance_work_mem=512MB";
  const client = new pg.Client({ connectionString, options });
  await client.connect();
  return client;
}

/** Statements that drop and recreate the indexes of the partitioned tables. */
async function indexes(client: pg.Client): Promise<{ drop: string[]; create: string[] }> {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `SELECT CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', x.indexrelid::regclass)
         ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', x.indrelid::regclass, c.conname) END AS drop,
       CASE WHEN c.oid IS NULL THEN replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ')
         ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', x.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
         END AS create
     FROM pg_index x LEFT JOIN pg_constraint c ON c.conindid = x.indexrelid AND c.contype IN ('p', 'u')
     WHERE x.indrelid = ANY ($1::regclass[])`,
    [tables],
  );
  return { drop: rows.map(({ drop }) => drop), create: rows.map(({ create }) => create) };
}

interface Month {
  readonly name: string;
  readonly from: string;
  readonly until: string;
}

const months: readonly Month[] = Array.from({ length: 12 }, (_, at) => {
  const start = new Date(reportingYear.from);
  const getDay = (month: number) =>
    new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month)).toISOString();
  return { name: getDay(at).slice(0, 7).replace("-", "_"), from: getDay(at), until: getDay(at + 1) };
});

/** An id of `kind`, a digit, in the application of that number. */
const getId = (app: string, kind: number, number: string) =>
  `(lpad(to_hex(${app}), 8, '0') || '-0000-7000-800${kind}-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** A number from 0 to 1 that hangs on `number` and `seed` only. */
const random = (number: string, seed: string) =>
  `((hashint8extended(${number}, ${seed}) & 1048575) / 1048576.0::float8)`;

const filling = `
  CREATE UNLOGGED TABLE filling AS
  SELECT application_id, org_id, tests, number,
    ARRAY(SELECT ${getId("number", 3, "d")} FROM generate_series(0, ${definitionCount - 1}) d ORDER BY d) AS definition_ids,
    ARRAY(SELECT ${definitionType("d")} FROM generate_series(0, ${definitionCount - 1}) d ORDER BY d) AS definition_types
  FROM unnest($1::uuid[], $2::text[], $3::bigint[]) WITH ORDINALITY a (application_id, org_id, tests, number)`;

function definitionType(number: string): string {
  return `('{NATURALNESS,RECALL,FACT,CUSTOM,OUTPUT_MATCH}'::text[])[1 + ${number} % 5]`;
}

const began = `'${reportingYear.from}'::timestamptz`;

const catalog = [
  `INSERT INTO catalog.topic (application_id, id, org_id, title, status, created_at, modified_at)
   SELECT application_id, ${getId("number", 1, "n")}, org_id, 'Topic ' || n, 'ACTIVE', ${began}, ${began}
   FROM filling, generate_series(0, ${topicCount - 1}) n`,
  `INSERT INTO catalog.task
     (application_id, id, org_id, topic_id, title, description, type, status, created_at, modified_at)
   SELECT application_id, ${getId("number", 2, "n")}, org_id, ${getId("number", 1, `n % ${topicCount}`)}, 'Task ' || n,
     'A customer asks for the fee of transfer ' || n, 'NORMAL', 'ACTIVE', ${began}, ${began}
   FROM filling, generate_series(0, ${taskCount - 1}) n`,
  `INSERT INTO catalog.eval_definition (application_id, id, org_id, type, name, created_at, modified_at)
   SELECT application_id, definition_ids[1 + n], org_id, definition_types[1 + n], 'Definition ' || n, ${began}, ${began}
   FROM filling, generate_series(0, ${definitionCount - 1}) n`,
];

/** Runs are scheduled ones by and large; each has a stretch of the tests. */
const runType = (run: string) =>
  `('{SCHEDULED,SCHEDULED,SCHEDULED,SCHEDULED,EXPERIMENT,EXPERIMENT,MANUAL,MONITORING}'::text[])[1 + ${run} % 8]`;

const buildTime = (test: string) => `date_trunc('milliseconds', ${began}
  + ('${reportingYear.until}'::timestamptz - ${began}) * ((${test} + ${random(test, "1")}) / tests))`;

const runs = `
  INSERT INTO experiments.run (application_id, id, org_id, type, status, title, created_at, modified_at)
  SELECT application_id, ${getId("number", 4, "n")}, org_id, ${runType("n")}, 'COMPLETED', 'Run ' || n, at, at
  FROM filling, generate_series(0, (tests - 1) / ${testsPerRun}) n,
    LATERAL (SELECT ${buildTime(`(n * ${testsPerRun})`)} AS at) time`;

/** Number of the application's tests before that time, plus or minus one. */
const testsBefore = (time: string) =>
  `(tests * extract(epoch FROM '${time}' - ${began}) / extract(epoch FROM '${reportingYear.until}' - ${began}))::bigint`;

/** By time, as results come: those of many applications among each other. */
const buildTests = ({ name, from, until }: Month, areOver: boolean) => `
  INSERT INTO experiments.test_${name} (application_id, id, created_at, score_micro, task_id, topic_id, run_id,
    duration_ms, passed, org_id, run_type, status, definition_ids)
  SELECT application_id,
    (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008'
      || lpad(to_hex((number << 32) + n), 15, '0'))::uuid,
    at, score, ${getId("number", 2, "task")}, ${getId("number", 1, `task % ${topicCount}`)},
    ${getId("number", 4, `n / ${testsPerRun}`)}, (200 + 4000 * ${random("n", "2")})::integer, score >= 600000, org_id,
    ${runType(`(n / ${testsPerRun})`)}, status, definition_ids
  FROM filling,
    generate_series(greatest(0, ${testsBefore(from)} - 1), least(tests - 1, ${testsBefore(until)} + 1)) n,
    LATERAL (SELECT ${buildTime("n")} AS at, floor(${taskCount} * ${random("n", "3")})::bigint AS task,
      CASE WHEN n % 50 = 7 THEN 'FAILED' WHEN n % 97 = 5 AND NOT ${areOver} THEN 'IN_PROGRESS' ELSE 'COMPLETED' END AS status) made,
    LATERAL (SELECT CASE WHEN status = 'COMPLETED'
      THEN (1000000 * (1 - ${random("n", "4")} * ${random("n", "5")}))::bigint END AS score) scored
  WHERE at >= '${from}' AND at < '${until}'
  ORDER BY at`;

/** Every definition judges every test, each a little differently. */
const buildEvaluations = ({ name }: Month) => `
  INSERT INTO experiments.evaluation_${name} (application_id, id, created_at, score_micro, test_id, run_id, task_id,
    topic_id, definition_id, passed, org_id, definition_type, status)
  SELECT application_id, overlay(t.id::text PLACING '10' || d FROM 16 FOR 3)::uuid, t.created_at, score, t.id, t.run_id,
    t.task_id, t.topic_id, definition_ids[1 + d], score >= 600000, org_id, definition_types[1 + d], t.status
  FROM experiments.test_${name} t JOIN (SELECT application_id, definition_types FROM filling) f USING (application_id),
    generate_series(0, ${definitionCount - 1}) d,
    LATERAL (SELECT (t.score_micro + (1000000 * ${random("uuid_hash_extended(t.id, d)", "6")})::bigint) / 2 AS score) s`;

const ours = (table: string) => `(SELECT * FROM ${table} WHERE application_id IN (SELECT application_id FROM filling))`;
const sums = [
  addTo(rollups.testDay, ours("experiments.test")),
  addTo(rollups.taskStat, ours("experiments.test")),
  addTo(rollups.evaluationDay, ours("experiments.evaluation")),
  // The list's row counts, whose triggers do not see what is inserted into a partition.
  `INSERT INTO experiments.test_count (application_id, ordered_by, bits, bucket, run_type, status, slot, rows)
   SELECT application_id, 'created_at', bits, (extract(epoch FROM created_at) * 1000)::bigint >> bits, run_type, status, 0, count(*)
   FROM ${ours("experiments.test")} t, (VALUES (18), (24), (30)) b (bits) GROUP BY 1, 2, 3, 4, 5, 6`,
];
