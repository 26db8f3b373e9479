// Runs within a budget, while processes are killed, and PostgreSQL, NATS and the model are unavailable: every
// test ends as the reference says or states what it waits for; nothing is missing, duplicated, miscounted or spent without a record.

import { setTimeout as delay } from "node:timers/promises";
import { loopbackHost } from "@ems/test-support/loopback";
import { type ModelServer, modelServer } from "@ems/test-support/model-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriterWithoutWebhook } from "../harness/writer.ts";
import { Application, type TraceSink } from "../loop/application.ts";
import { expectedReport, reported } from "../loop/compare.ts";
import { expectedTest } from "../loop/reference.ts";
import { call, prepare, readTests, trigger } from "../loop/tenant.ts";
import { seededRandom } from "../oracle/random.ts";
import { inexactSums, spending } from "./sums.ts";

/** Seed of the order and the times of faults. */
const seed = Number(process.env.LOOP_FAULT_SEED ?? 1);
const random = seededRandom(seed);
const testsOfRun = Number(process.env.LOOP_FAULT_TESTS ?? 28);
const timeoutMs = 60_000;
const limitMs = 600_000;
const modelGoneMs = 60_000;
/** Dollars to spend between two faults: less than a run costs. */
const budgetStep = 0.05;

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
    PROMPT_ATTEMPT_TIMEOUT_MS: "15000",
    PROMPT_LEASE_MS: "30000",
    JOBS_LEASE_MS: "15000",
    MODEL_CALL_TIMEOUT_MS: "15000",
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

const killed = ["evaluation", "notifications", "experiments", "traces", "catalog", "identity", "gateway"] as const;
const short = () => delay(random.int(500, 2_000));
const faults: readonly Fault[] = [
  ...killed.map((name) => ({ name, begin: () => mesh.kill(name), end: () => mesh.restart(name) })),
  { name: "NATS", begin: () => mesh.killNats(), end: () => mesh.restartNats() },
  { name: "PostgreSQL", begin: () => mesh.killPostgres(), end: () => mesh.restartPostgres() },
];

/** Makes the model unavailable for a minute, in addition to other faults. */
async function withoutModel(): Promise<void> {
  await models.close();
  await delay(modelGoneMs);
  models = await modelServer({ host: loopbackHost, port: models.port });
}

test(`whatever is lost at any moment of a run, every test ends as it must (LOOP_FAULT_SEED=${seed})`, {
  timeout: limitMs * 2,
}, async () => {
  const { apiKey, applicationId } = await newWriterWithoutWebhook(mesh);
  const sink: TraceSink = { baseUrl: mesh.baseUrl, apiKey, applicationId };
  const application = new Application(sink, { slowMs: 500 });
  const endpoint = await receiver.another("loop.ems.test");
  endpoint.behave(application.reply);
  const connection = { provider: "openai", baseUrl: models.url } as const;
  const { taskIds, typesById } = await prepare(sink, endpoint.url, testsOfRun, connection);
  const runs: string[] = [];
  const overspent: unknown[] = [];
  const settings = async () => {
    const { data } = await call(sink, "GET", "/v0/evaluation-settings");
    const { money, uncertainMoney } = data.spent.month;
    const [budget, spent] = [data.budgets?.month?.money ?? 0, money + uncertainMoney];
    if (spent > budget && runs.length > 0) overspent.push({ budget, spent });
    return { spent };
  };
  const raiseBudget = async () => {
    const money = (await settings()).spent + budgetStep;
    await call(sink, "PUT", "/v0/evaluation-settings", { budgets: { month: { money } } });
  };

  const [order, modelGoesAt] = [random.sample(faults, faults.length), random.int(0, faults.length - 1)];
  let modelIsBack = Promise.resolve();
  for (const [at, { begin, end }] of order.entries()) {
    await patiently(raiseBudget);
    runs.push(await patiently(() => trigger(sink, taskIds)));
    await delay(random.int(0, 3_000));
    if (at === modelGoesAt) modelIsBack = withoutModel();
    await begin();
    await short();
    await end();
  }
  await modelIsBack;

  const readProgress = async () => {
    const all = await Promise.all(runs.map((id) => call(sink, "GET", `/v0/runs/${id}`)));
    return all.map(({ run }) => run.progress);
  };
  const unexplained = async () => {
    const { data } = await call(sink, "GET", "/v0/evals?status=PENDING,IN_PROGRESS&limit=100");
    return data.flatMap(({ id, waitingFor }: { id: string; waitingFor: string | null }) => waitingFor ?? id);
  };
  const unfinished = async (seen: object) => ({
    ...seen,
    jobs: await mesh.sql(
      `SELECT kind, id, test_id, attempts, waiting_for, next_attempt_at - now() AS due, leased_until - now() AS leased,
        outcome, finished_at FROM evaluation.job WHERE application_id = $1 AND finished_at IS NULL
        ORDER BY waiting_for NULLS FIRST LIMIT 10`,
      [applicationId],
    ),
    evaluations: await mesh.sql(
      `SELECT id, test_id, status, waiting_for FROM experiments.evaluation
        WHERE application_id = $1 AND status IN ('PENDING', 'IN_PROGRESS') ORDER BY waiting_for NULLS FIRST LIMIT 10`,
      [applicationId],
    ),
    tests: await mesh.sql(
      `SELECT test_id, state, attempt, due_at - now() AS due, evaluations FROM experiments.test_execution
        WHERE application_id = $1 ORDER BY state LIMIT 10`,
      [applicationId],
    ),
  });
  const ended = runs.map(() => ({ completed: testsOfRun, total: testsOfRun }));
  const waits = ["budget", "model_connection", "rate_limit", "retry"];
  for (const untilMs = Date.now() + limitMs; ; await delay(2_000)) {
    await resumeConnections(sink);
    const progress = await patiently(readProgress);
    if (JSON.stringify(progress) === JSON.stringify(ended)) break;
    const states = await patiently(unexplained);
    if (Date.now() > untilMs) expect(await unfinished({ progress, states })).toEqual({});
    // Tests stopped by the budget say so, and continue when it is raised.
    if (states.length > 0 && states.every((state: string) => waits.includes(state))) await raiseBudget();
  }

  await application.sent();
  const wrong: unknown[] = [];
  for (const runId of runs) {
    for (const found of await readTests(sink, runId)) {
      const [actual, expected] = [reported(found, typesById), expectedReport(expectedTest(found.prompt, true))];
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
  expect(await inexactSums(mesh, applicationId)).toEqual([]);
  const budgets = "SELECT count(*)::int FROM evaluation.outbox WHERE application_id = $1 AND type = 'budget.reached'";
  expect(await ownRows(budgets)).not.toEqual([{ count: 0 }]);

  // A call reserves its possible cost: lost calls are within the budget, and every payment is part of a sum.
  await settings();
  expect(overspent).toEqual([]);
  const { sum, calls, evaluations } = await spending(mesh, applicationId);
  expect(sum).toBe(calls);
  expect(evaluations).toBeLessThanOrEqual(sum);
  expect(evaluations).toBeGreaterThan(0);
  application.stop();
});

/** A connection that failed for long is paused: a person tests it once the model is available. */
async function resumeConnections(sink: TraceSink): Promise<void> {
  const { data } = await call(sink, "GET", "/v0/model-connections").catch(() => ({ data: [] }));
  for (const { id, pausedAt } of data) {
    if (pausedAt) await call(sink, "POST", `/v0/model-connections/${id}/test`, {}).catch(() => undefined);
  }
}

/** Retries 503, which the product may answer right after a fault. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const untilMs = Date.now() + 60_000; ; await delay(500)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > untilMs) throw error;
    }
  }
}
