// Worker, ClickHouse and PostgreSQL's connections killed at random moments of the archive's work, while rows are read and changed.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { experimentsArchive } from "@ems/experiments/archive";
import { archiveOperator } from "@ems/experiments/archive-operator";
import { experimentsConfig } from "@ems/experiments/config";
import { experimentsSchema } from "@ems/experiments/schema";
import { createExperiments } from "@ems/experiments/service";
import { archiveClient, archiveConfig, archiveDdl } from "@ems/kit/archive";
import { readConfig } from "@ems/kit/config";
import { Code, type ConnectError } from "@ems/kit/errors";
import { createLog } from "@ems/kit/log";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { reportingConfig } from "@ems/reporting/config";
import { reportingSchema } from "@ems/reporting/schema";
import { createReporting } from "@ems/reporting/service";
import { serviceHarness, testClickhouse, testTenant } from "@ems/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { computeRollups } from "../oracle/insert.ts";
import { seededRandom } from "../oracle/random.ts";
import { type Request, requestsOf } from "./archived-reads.ts";
import { addRows } from "./archived-rows.ts";

const seed = Number(process.env.ARCHIVE_FAULT_SEED ?? 1);
const seconds = Number(process.env.ARCHIVE_FAULT_SECONDS ?? 12);
const patienceMs = 120_000;
const random = seededRandom(seed);
const dayMs = 86_400_000;
const [days, oldest] = [4, 40];
const requestMs = 8_000;
const clickhouse = await testClickhouse();
const env = { ...clickhouse.env, DATABASE_POOL_MAX: "4" };
const experiments = await serviceHarness({
  schema: experimentsSchema,
  config: experimentsConfig,
  build: createExperiments,
  // Its own carrier and dropping do nothing: the worker does.
  env: { ...env, ARCHIVE_AFTER_DAYS: "3650" },
  peers: (router) => {
    router.service(ReferenceService, { batchGetReferences: () => ({}) });
  },
});
const { database } = experiments;
const reporting = await serviceHarness({
  ...{ schema: reportingSchema, config: reportingConfig, build: createReporting, env, database },
});
const tenants = [testTenant(), testTenant()] as const;
const midnight = Math.floor(Date.now() / dayMs) * dayMs;
const first = midnight - oldest * dayMs;
const services = { experiments, reporting, random, first, days, requestMs };
const workerEnv = {
  ...clickhouse.env,
  ...{ ARCHIVE_AFTER_DAYS: "1", ARCHIVE_DROP_AFTER_DAYS: "2", ARCHIVE_BATCH_ROWS: "7" },
  DATABASE_URL: database.urlOf(experimentsSchema),
  RELAY_DATABASE_URL: database.relayUrlOf(experimentsSchema),
};
const server = archiveClient(readConfig(archiveConfig, clickhouse.env));
const sums = ["test_day", "evaluation_day", "task_stat"];
afterAll(() => server?.close());

beforeAll(async () => {
  for (const query of archiveDdl(
    experimentsArchive.flatMap(({ tables }) => tables),
    readConfig(archiveConfig, clickhouse.env),
  )) {
    await server?.command({ query });
  }
  experiments.clock.advance(Date.now() - experiments.clock.now().getTime());
  reporting.clock.advance(Date.now() - reporting.clock.now().getTime());
  for (const { applicationId } of tenants) {
    for (let day = 0; day < days; day++) await addRows(database, applicationId, new Date(first + (day + 0.7) * dayMs));
  }
  await computeSums();
});

const clearSums = sums.map((name) => `DELETE FROM experiments.${name};`).join("\n");
const computeSums = () => database.sql(`${clearSums} ${computeRollups}`);

/** Rows of one day that change their values to others and back, with what is summed of them. */
async function alternation(applicationId: string, requests: readonly Request[]) {
  const [from, to] = [new Date(first + 2 * dayMs), new Date(first + 3 * dayMs)];
  const values = [applicationId, from, to];
  const where = "application_id = $1 AND created_at >= $2 AND created_at < $3";
  const changes = [
    `UPDATE experiments.test SET score_micro = 1000000 - score_micro WHERE ${where}`,
    `UPDATE experiments.evaluation SET score_micro = 1000000 - score_micro WHERE ${where}`,
  ];
  const text = `SELECT ${sums.map((name) => `(SELECT jsonb_agg(s) FROM experiments.${name} s) AS ${name}`).join(", ")}`;
  const stateOf = async () => {
    await computeSums();
    const [stored = {}] = await database.sql<Record<string, unknown>>(text);
    const answers = [];
    for (const { read } of requests) answers.push(await read());
    return { stored, answers };
  };
  const states = [await stateOf()];
  for (const change of changes) await database.sql(change, values);
  states.push(await stateOf());
  const rowsText = `SELECT count(*)::int AS rows FROM experiments.test WHERE ${where}`;
  const [{ rows: all } = { rows: 0 }] = await database.sql<{ rows: number }>(rowsText, values);
  let current = 1;
  return {
    /** Which are right now. */
    answers: () => states[current]?.answers ?? [],
    /** In one transaction; nothing where rows are in the archive alone. Answers whether they changed. */
    async change(): Promise<boolean> {
      const next = states[1 - current];
      const literal = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`;
      const scope = `application_id = '${applicationId}' AND created_at >= '${from.toISOString()}' AND created_at < '${to.toISOString()}'`;
      const fill = sums.map(
        (name) =>
          `INSERT INTO experiments.${name} SELECT * FROM jsonb_populate_recordset(NULL::experiments.${name}, ${literal(next?.stored[name])});`,
      );
      try {
        await database.sql(`DO $change$ BEGIN
          PERFORM FROM experiments.test WHERE ${scope} FOR UPDATE;
          IF (SELECT count(*) FROM experiments.test WHERE ${scope}) <> ${all} THEN RAISE EXCEPTION 'elsewhere'; END IF;
          ${changes.map((text) => text.replace(where, scope)).join(";\n")};
          ${clearSums} ${fill.join("\n")}
        END $change$`);
      } catch (error) {
        if (error instanceof Error && error.message === "elsewhere") return false;
        throw error;
      }
      current = 1 - current;
      return true;
    },
  };
}

test("every answer is right or unavailable, and at the end both sides have the same", {
  retry: 0,
  timeout: (seconds + 180) * 1_000 + patienceMs,
}, async () => {
  const requests = (await Promise.all(tenants.map((tenant) => requestsOf(services, tenant)))).flat();
  const values = await alternation(tenants[0].applicationId, requests);
  const applications = tenants.map(({ applicationId }) => applicationId);
  const path = join(import.meta.dirname, "archive-worker.ts");
  const start = () => {
    const options = { env: { ...process.env, ...workerEnv }, stdio: "inherit" as const };
    return fork(path, [String(random.int(1, 1e9)), ...applications], {
      ...options,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  };
  const operator = await archiveOperator(workerEnv, createLog("experiments", "silent"));
  const { signal } = new AbortController();
  await operator.run(signal, () => undefined);
  let worker: ChildProcess = start();
  const killWorker = async () => {
    const exited = once(worker, "exit");
    worker.kill("SIGKILL");
    await exited;
    // As if the others had waited long enough.
    await age("open", "16 minutes");
  };
  /** As if time had passed: longer than requests take. */
  const age = (state: string, by: string, since = "0 s") =>
    database.sql(
      `UPDATE experiments.archive_batch SET changed_at = changed_at - $2::interval
       WHERE state = $1 AND changed_at BETWEEN now() - interval '5 minutes' AND now() - $3::interval`,
      [state, by, since],
    );
  const faults = {
    worker: async () => {
      await killWorker();
      worker = start();
    },
    connections: async () => {
      await database.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename <> current_user AND random() < 0.7`);
    },
    clickhouse: async () => {
      if (!clickhouse.isOurs) return;
      await clickhouse.kill();
      await sleep(random.int(0, 1_500));
      await clickhouse.start();
    },
  };
  const wrong: unknown[] = [];
  const seen = {
    right: 0,
    unavailable: 0,
    changes: 0,
    worker: 0,
    connections: 0,
    clickhouse: 0,
    dropped: 0,
    restored: 0,
  };
  const endMs = Date.now() + seconds * 1_000;
  const least = () => Math.min(seen.right, seen.dropped, seen.restored);
  // A busy machine has longer until it has seen what it is to see.
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
      await Promise.all(random.some(indexes, 6).map(check));
      await age("restored", "2 days", "1 s");
      await age("withdrawn", "2 hours", "30 s");
      if (random.is(0.1)) {
        const application = tenants[0].applicationId;
        // Unless ClickHouse or a connection is away.
        await operator.restore({ application, kind: "results" }, signal, () => undefined).catch(() => undefined);
        seen.changes += Number(await values.change());
      }
      // A change that changes no value.
      if (random.is(0.2)) {
        const table = random.pick(["test", "evaluation", "trace"]);
        const text = `UPDATE experiments.${table} SET org_id = org_id WHERE application_id = $1 AND created_at = (SELECT created_at
          FROM experiments.${table} WHERE application_id = $1 ORDER BY random() LIMIT 1)`;
        await database.sql(text, [random.pick(applications)]);
      }
      const [states] = await database.sql<{ dropped: number; restored: number }>(
        `SELECT count(*) FILTER (WHERE state = 'dropped')::int AS dropped,
           count(*) FILTER (WHERE state = 'restored')::int AS restored FROM experiments.archive_batch`,
      );
      seen.dropped = Math.max(seen.dropped, states?.dropped ?? 0);
      seen.restored = Math.max(seen.restored, states?.restored ?? 0);
    }
  };
  const disturb = async () => {
    while (isRunning()) {
      await sleep(random.int(100, 5_000));
      const fault = random.pick(["worker", "worker", "connections", "clickhouse"] as const);
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
      const { carried, dropped } = await operator.run(signal, () => undefined);
      await age("withdrawn", "2 hours");
      return carried + dropped;
    })
    .toBe(0);
  expect(await operator.verify(signal)).toMatchObject({ differences: [] });
  await operator.close();
  const batches = await database.sql<{ number: number; state: string }>(
    "SELECT number, state FROM experiments.archive_batch",
  );
  expect(new Set(batches.map(({ state }) => state))).toEqual(new Set(["dropped"]));
  for (const name of ["test", "evaluation", "trace", "trace_step"]) {
    const query = `SELECT DISTINCT batch FROM ${clickhouse.env.CLICKHOUSE_DATABASE}.${name}`;
    const found = await (await server?.query({ query, format: "JSONEachRow" }))?.json<{ batch: number }>();
    const others = found?.filter(({ batch }) => !batches.some(({ number }) => number === batch));
    expect(others, name).toEqual([]);
  }
  for (const index of requests.keys()) await check(index);
  expect(wrong).toEqual([]);
});
