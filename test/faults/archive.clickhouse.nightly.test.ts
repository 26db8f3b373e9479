// Random kills of worker, ClickHouse, PostgreSQL and its connections during archiving, reads and changes of rows.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { archiveClient, archiveConfig, archiveDdl } from "@ems/archive";
import { localSecrets } from "@ems/deploy/secrets";
import { experimentsConfig } from "@ems/experiments/config";
import { experimentsSchema } from "@ems/experiments/schema";
import { createExperiments } from "@ems/experiments/service";
import { readConfig } from "@ems/kit/config";
import { Code, type ConnectError } from "@ems/kit/errors";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { reportingConfig } from "@ems/reporting/config";
import { reportingSchema } from "@ems/reporting/schema";
import { createReporting } from "@ems/reporting/service";
import { serviceHarness, testClickhouse, testDatabase, testTenant } from "@ems/test-support";
import { tracesConfig } from "@ems/traces/config";
import { tracesSchema } from "@ems/traces/schema";
import { createTraces } from "@ems/traces/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataDir } from "../harness/data-dir.ts";
import { startFaultPostgres } from "../harness/fault-postgres.ts";
import { seededRandom } from "../oracle/random.ts";
import { archivedTables, databaseUrls, openOperator } from "./archive-operator.ts";
import { alternation, computeSums } from "./archived-alternation.ts";
import { buildRequests } from "./archived-reads.ts";
import { addRows } from "./archived-rows.ts";
import { patiently } from "./patiently.ts";

const seed = Number(process.env.ARCHIVE_FAULT_SEED ?? 1);
const seconds = Number(process.env.ARCHIVE_FAULT_SECONDS ?? 12);
const patienceMs = 120_000;
const random = seededRandom(seed);
const dayMs = 86_400_000;
const [days, oldest] = [4, 40];
const requestMs = 8_000;
/** Four times as frequent as the others. */
const often = process.env.ARCHIVE_FAULT_OFTEN;
const clickhouse = await testClickhouse();
// A separate data directory, since its processes are killed.
const dataDir = await newDataDir("ems-test-archive-faults-");
const postgres = await startFaultPostgres(dataDir);
const { passwords } = await localSecrets(dataDir);
const database = await testDatabase({ adminUrl: postgres.url, template: "ems", passwords });
// Closed after the services.
afterAll(async () => {
  await database.drop();
  await postgres.close();
  await rm(dataDir, { recursive: true, force: true });
});
const env = { ...clickhouse.env, DATABASE_POOL_MAX: "4" };
// Its own workers do nothing: the other process does the work.
const idle = { ...env, ARCHIVE_AFTER_DAYS: "3650" };
const experiments = await serviceHarness({
  schema: experimentsSchema,
  config: experimentsConfig,
  build: createExperiments,
  companion: { schema: tracesSchema, config: tracesConfig, build: createTraces, env: idle },
  env: idle,
  database,
  peers: (router) => {
    router.service(ReferenceService, { batchGetReferences: () => ({}) });
  },
});
const reporting = await serviceHarness({
  schema: reportingSchema,
  config: reportingConfig,
  build: createReporting,
  env,
  database,
});
const tenants = [testTenant(), testTenant()] as const;
const midnight = Math.floor(Date.now() / dayMs) * dayMs;
const first = midnight - oldest * dayMs;
const services = { experiments, reporting, random, requestMs };
const workerEnv = {
  ...clickhouse.env,
  ARCHIVE_AFTER_DAYS: "1",
  ARCHIVE_BATCH_ROWS: "7",
  ...databaseUrls(database),
};
const allBatches = ["experiments", "traces"]
  .map((schema) => `SELECT kind, number, state FROM ${schema}.archive_batch`)
  .join(" UNION ALL ");
const server = archiveClient(readConfig(archiveConfig, clickhouse.env));
afterAll(() => server?.close());

beforeAll(async () => {
  for (const query of archiveDdl(archivedTables, readConfig(archiveConfig, clickhouse.env))) {
    await server?.command({ query });
  }
  experiments.clock.advance(Date.now() - experiments.clock.now().getTime());
  reporting.clock.advance(Date.now() - reporting.clock.now().getTime());
  for (const { applicationId } of tenants) {
    for (let day = 0; day < days; day++) await addRows(database, applicationId, new Date(first + (day + 0.7) * dayMs));
  }
  await computeSums(database);
});

test("every answer is right or unavailable, and at the end both sides have the same", {
  retry: 0,
  timeout: (seconds + 180) * 1_000 + patienceMs,
}, async () => {
  const requests = (await Promise.all(tenants.map((tenant) => buildRequests(services, tenant)))).flat();
  const day = [tenants[0].applicationId, new Date(first + 2 * dayMs), new Date(first + 3 * dayMs)] as const;
  const values = await alternation(database, requests, day);
  const applications = tenants.map(({ applicationId }) => applicationId);
  const path = join(import.meta.dirname, "archive-worker.ts");
  const start = () => {
    const options = { env: { ...process.env, ...workerEnv }, stdio: "inherit" as const };
    return fork(path, [String(random.int(1, 1e9)), ...applications], {
      ...options,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  };
  const operator = await openOperator(workerEnv);
  const { signal } = new AbortController();
  await operator.run(signal, () => undefined);
  let worker: ChildProcess = start();
  /** SQL that may run twice. */
  const sql = <Row extends object>(text: string, parameters: unknown[] = []) =>
    patiently(() => database.sql<Row>(text, parameters));
  const killWorker = async () => {
    // An exit without a kill is a fault.
    if (worker.exitCode !== null) wrong.push({ seed, name: "worker", code: worker.exitCode });
    const exited = worker.exitCode === null && once(worker, "exit");
    worker.kill("SIGKILL");
    await exited;
    // Makes retries due at once.
    await age("open", "16 minutes");
  };
  /** Simulates elapsed time, longer than requests take. */
  const age = async (state: string, by: string, since = "0 s") => {
    for (const schema of ["experiments", "traces"]) {
      await sql(
        `UPDATE ${schema}.archive_batch SET changed_at = changed_at - $2::interval
         WHERE state = $1 AND changed_at BETWEEN now() - interval '5 minutes' AND now() - $3::interval`,
        [state, by, since],
      );
    }
  };
  const faults = {
    worker: async () => {
      await killWorker();
      worker = start();
    },
    connections: async () => {
      await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename <> current_user AND random() < 0.7`);
    },
    clickhouse: async () => {
      if (!clickhouse.isOurs) return;
      await clickhouse.kill();
      await sleep(random.int(0, 1_500));
      await clickhouse.start();
    },
    postgres: async () => {
      await postgres.kill();
      await sleep(random.int(0, 1_500));
      await postgres.start();
    },
    recovery: () => patiently(postgres.crash),
  };
  const names = Object.keys(faults) as (keyof typeof faults)[];
  const weighted = names.flatMap((name) => Array<typeof name>(name === often ? 4 : 1).fill(name));
  const wrong: unknown[] = [];
  const seen = {
    right: 0,
    unavailable: 0,
    changes: 0,
    worker: 0,
    connections: 0,
    clickhouse: 0,
    postgres: 0,
    recovery: 0,
    dropped: 0,
    restored: 0,
  };
  const endMs = Date.now() + seconds * 1_000;
  const least = () => Math.min(seen.right, seen.dropped, seen.restored, seen.postgres);
  // A busy machine needs longer to reach the expected state.
  const isRunning = () =>
    wrong.length === 0 && (Date.now() < endMs || (least() === 0 && Date.now() < endMs + patienceMs));
  const check = async (index: number) => {
    const expected = values.answers()[index];
    try {
      const answer = await requests[index]?.read();
      if (isDeepStrictEqual(answer, expected)) seen.right += 1;
      else wrong.push({ seed, name: requests[index]?.name, answer, expected });
    } catch (error) {
      const { code, metadata } = error as ConnectError;
      if (code === Code.Unavailable && Number(metadata.get("retry-after")) > 0) seen.unavailable += 1;
      else wrong.push({ seed, name: requests[index]?.name, error });
    }
  };
  const read = async () => {
    const indexes = requests.map((_, index) => index);
    while (isRunning()) {
      await Promise.all(random.sample(indexes, 6).map(check));
      await age("restored", "2 days", "1 s");
      await age("withdrawn", "2 hours", "30 s");
      if (random.is(0.1)) {
        const application = tenants[0].applicationId;
        // Except while ClickHouse or PostgreSQL is unavailable.
        await operator.restore({ application, kind: "results" }, signal, () => undefined).catch(() => undefined);
        seen.changes += Number(await values.change());
      }
      // An update that changes no value.
      if (random.is(0.2)) {
        const table = random.pick(["experiments.test", "experiments.evaluation", "traces.trace"]);
        const text = `UPDATE ${table} SET org_id = org_id WHERE application_id = $1 AND created_at = (SELECT created_at
          FROM ${table} WHERE application_id = $1 ORDER BY random() LIMIT 1)`;
        await sql(text, [random.pick(applications)]);
      }
      const [states] = await sql<{ dropped: number; restored: number }>(
        `SELECT count(*) FILTER (WHERE state = 'dropped')::int AS dropped,
           count(*) FILTER (WHERE state = 'restored')::int AS restored FROM (${allBatches}) b`,
      );
      seen.dropped = Math.max(seen.dropped, states?.dropped ?? 0);
      seen.restored = Math.max(seen.restored, states?.restored ?? 0);
    }
  };
  const disturb = async () => {
    for (let round: typeof weighted = []; isRunning(); ) {
      await sleep(random.int(100, 5_000));
      if (round.length === 0) round = random.sample(weighted, weighted.length);
      const fault = round.pop() ?? "worker";
      await faults[fault]();
      seen[fault] += 1;
    }
  };
  await Promise.all([read(), disturb()]).finally(() => worker.kill("SIGKILL"));
  if (process.env.ARCHIVE_FAULT_SECONDS !== undefined) process.stdout.write(`${JSON.stringify({ seed, ...seen })}\n`);
  expect(wrong).toEqual([]);
  expect(least()).toBeGreaterThan(0);

  await age("open", "16 minutes");
  await age("restored", "2 days");
  await age("withdrawn", "2 hours");
  await expect
    .poll(async () => {
      let moved = 0;
      await operator.run(signal, () => {
        moved += 1;
      });
      await age("withdrawn", "2 hours");
      return moved;
    })
    .toBe(0);
  expect(await operator.verify(signal)).toMatchObject({ differences: [] });
  await operator.close();
  const batches = await database.sql<{ kind: string; number: number; state: string }>(allBatches);
  expect(new Set(batches.map(({ state }) => state))).toEqual(new Set(["dropped"]));
  for (const name of ["test", "evaluation", "trace", "trace_step"]) {
    const query = `SELECT DISTINCT batch FROM ${clickhouse.env.CLICKHOUSE_DATABASE}.${name}`;
    const found = await (await server?.query({ query, format: "JSONEachRow" }))?.json<{ batch: number }>();
    const kind = name.startsWith("trace") ? "traces" : "results";
    const unlisted = found?.filter(({ batch }) => !batches.some((each) => each.kind === kind && each.number === batch));
    expect(unlisted, name).toEqual([]);
  }
  const { right } = seen;
  for (const index of requests.keys()) await check(index);
  expect(wrong).toEqual([]);
  expect(seen.right).toBe(right + requests.length);
});
