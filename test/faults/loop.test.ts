// Runs that evaluate themselves while processes are killed, and PostgreSQL, NATS and the model are away: every test ends as the
// reference says, nothing is missing, double or counted wrongly.

import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { loopbackHost } from "@ems/test-support/loopback";
import { type ModelServer, modelServer } from "@ems/test-support/model-server";
import { columnsOf, countedRows, type Rollup, rollups } from "@ems/test-support/rollups";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriterWithoutWebhook } from "../harness/writer.ts";
import { Application, type TraceSink } from "../loop/application.ts";
import { expectedReport, reported } from "../loop/compare.ts";
import { expectedTest } from "../loop/reference.ts";
import { call, prepare, testsOf, trigger } from "../loop/tenant.ts";

const testsOfRun = Number(process.env.LOOP_FAULT_TESTS ?? 28);
const timeoutMs = 60_000;
const limitMs = 600_000;

let mesh: FaultMesh;
let receiver: EventReceiver;
let models: ModelServer;
beforeAll(async () => {
  receiver = await startEventReceiver();
  models = await modelServer({ host: loopbackHost });
  mesh = await startFaultMesh({
    ...unlimited,
    ...receiver.env,
    RECONCILE_MS: "1000",
    TRACE_TIMEOUT_MS: String(timeoutMs),
    SETTLE_ROOT_MS: "1000",
    MODEL_ALLOW_CIDRS: `${loopbackHost}/32`,
  });
});
afterAll(async () => {
  await mesh?.close();
  await receiver.close();
  await models.close();
});

interface Fault {
  readonly name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
}

const killed = ["evaluation", "notifications", "experiments", "catalog", "identity", "gateway"] as const;
const faults: readonly Fault[] = [
  ...killed.map((name) => ({ name, begin: () => mesh.kill(name), end: () => mesh.restart(name) })),
  { name: "NATS", begin: () => mesh.killNats(), end: () => mesh.restartNats() },
  { name: "PostgreSQL", begin: () => mesh.killPostgres(), end: () => mesh.restartPostgres() },
  {
    name: "model",
    begin: () => models.close(),
    end: async () => {
      models = await modelServer({ host: loopbackHost, port: models.port });
    },
  },
];

test("whatever is lost at any moment of a run, every test ends as it must", { timeout: limitMs * 2 }, async () => {
  const { apiKey, applicationId } = await newWriterWithoutWebhook(mesh);
  const sink: TraceSink = { baseUrl: mesh.baseUrl, apiKey, applicationId };
  const application = new Application(sink, { slowMs: 500 });
  const endpoint = await receiver.another("loop.ems.test");
  endpoint.behave(application.reply);
  const { taskIds, typeOf } = await prepare(sink, endpoint.url, testsOfRun, {
    provider: "openai",
    baseUrl: models.url,
  });
  const runs: string[] = [];
  for (const { begin, end } of faults) {
    runs.push(await patiently(() => trigger(sink, taskIds)));
    await delay(randomInt(3_000));
    await begin();
    await delay(randomInt(500, 2_000));
    await end();
  }
  const progress = async () => {
    await resumeConnections(sink);
    const all = await Promise.all(runs.map((id) => call(sink, "GET", `/v0/runs/${id}`)));
    return all.map(({ run }) => run.progress);
  };
  const ended = runs.map(() => ({ completed: testsOfRun, total: testsOfRun }));
  await expect.poll(progress, { timeout: limitMs, interval: 2_000 }).toEqual(ended);

  await application.sent();
  const wrong: unknown[] = [];
  for (const runId of runs) {
    for (const found of await testsOf(sink, runId)) {
      const [actual, expected] = [reported(found, typeOf), expectedReport(expectedTest(found.prompt, true))];
      if (JSON.stringify(actual) !== JSON.stringify(expected)) wrong.push({ prompt: found.prompt, actual, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(application.faults).toEqual([]);

  const tests = runs.length * testsOfRun;
  const ownRows = (text: string) => mesh.sql<{ count: number }>(text, [applicationId]);
  const doubles = `SELECT count(*)::int FROM (SELECT test_id, definition_id FROM experiments.evaluation
    WHERE application_id = $1 AND replaced_by IS NULL GROUP BY 1, 2 HAVING count(*) > 1) doubles`;
  expect(await ownRows(doubles)).toEqual([{ count: 0 }]);
  const inFlight = "SELECT count(*)::int FROM experiments.test_execution WHERE application_id = $1";
  await expect.poll(() => ownRows(inFlight)).toEqual([{ count: 0 }]);
  const events = (type: string) =>
    ownRows(`SELECT count(*)::int FROM experiments.outbox WHERE application_id = $1 AND type = '${type}'`);
  expect(await events("test.completed")).toEqual([{ count: tests }]);
  expect(await events("run.completed")).toEqual([{ count: runs.length }]);
  expect(await inexactSums(applicationId)).toEqual([]);
  application.stop();
});

/** A connection that failed for long is paused: a person tests it when the model is back. */
async function resumeConnections(sink: TraceSink): Promise<void> {
  const { data } = await call(sink, "GET", "/v0/model-connections").catch(() => ({ data: [] }));
  for (const { id, pausedAt } of data) {
    if (pausedAt) await call(sink, "POST", `/v0/model-connections/${id}/test`, {}).catch(() => undefined);
  }
}

/** Right after a fault the product may say to come back. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const untilMs = Date.now() + 60_000; ; await delay(500)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > untilMs) throw error;
    }
  }
}

/** Rollups that differ from what counting their rows gives. */
async function inexactSums(applicationId: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const rollup of Object.values(rollups)) if (await differs(rollup, applicationId)) wrong.push(rollup.table);
  return wrong;
}

async function differs(rollup: Rollup, applicationId: string): Promise<boolean> {
  const { table, columns, source } = rollup;
  const names = columnsOf(rollup).join(", ");
  const sums = columns.filter((column) => !/_min$|_max$|_at$/.test(column));
  const isThere = `(${sums.join(", ")}) <> (${sums.map(() => 0).join(", ")})`;
  const stored = `SELECT ${names} FROM ${table} WHERE application_id = $1 AND ${isThere}`;
  const rows = `(SELECT * FROM ${source} WHERE application_id = $1)`;
  const counted = `SELECT * FROM (${countedRows(rollup, rows)}) c (${names}) WHERE ${isThere}`;
  const found = await mesh.sql(`(${stored} EXCEPT ${counted}) UNION ALL (${counted} EXCEPT ${stored})`, [
    applicationId,
  ]);
  return found.length > 0;
}
