// Questions of document tests are jobs like evaluations: leased, retried, paid for once, and counted in budgets.

import { newId } from "@ems/kit/id";
import { DocumentTestType } from "@ems/proto/experiments/v1/document_test";
import { testTenant } from "@ems/test-support";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import { ModelFault } from "../judges/index.ts";
import type { Connection } from "./connections.ts";
import type { JobWorker } from "./worker.ts";

const harness = await jobsHarness({ JOBS_CONCURRENCY: "8" });
const { add, answers, clock, connection, peer, questions, sql, start } = harness;
let worker: JobWorker | undefined;

beforeEach(async () => {
  await sql("TRUNCATE evaluation.job, evaluation.model_call, evaluation.spending, evaluation.setting");
  answers.length = 0;
  questions.clear();
  Object.assign(peer, { isDown: false, isDownForRecords: false });
});
afterEach(() => worker?.stop());

const usage = { inputTokens: 10, outputTokens: 5 };
const until = (condition: () => unknown) => vi.waitFor(async () => expect(await condition()).toBe(true), 30_000);

/** Offers a document test with this number of questions. */
async function offered(count: number, tenant = testTenant()): Promise<string> {
  const id = newId();
  for (let at = 0; at < count; at++) {
    const question = newId();
    questions.set(question, {
      id: question,
      type: DocumentTestType.DOCS_TO_TASKS_MAPPING,
      subject: { title: `Document ${at}`, text: "text" },
      candidates: [{ title: "Task", text: "text" }],
    });
  }
  await add(1, tenant, { id, testId: id, kind: "DOCUMENTS", needsModel: false });
  return id;
}

/** A model that answers that each document serves the first task, unless `instead` throws for the n-th call. */
function serving(instead: (nth: number) => void = () => undefined) {
  let calls = 0;
  const caller: Connection["caller"] = {
    async generate(request) {
      instead(++calls);
      const object = request.schema.parse({ serves: [1], reasoning: "It says so" });
      if (object === undefined) throw new ModelFault("schema", "breaks the schema");
      return { object, usage, model: "m" };
    },
  };
  return { found: { ...connection(async () => undefined), caller }, calls: () => calls };
}

test("each question is answered by one call, however often its test is offered", async () => {
  const tenant = testTenant();
  const id = await offered(20, tenant);
  const model = serving();
  worker = start(model.found);
  await until(() => answers.length === 20);
  expect(answers.every(({ outcome }) => outcome.case === "finding")).toBe(true);
  expect(answers[0]?.outcome.value).toMatchObject({ matches: [0], reasoning: "It says so" });
  await add(1, tenant, { id, testId: id, kind: "DOCUMENTS", needsModel: false });
  await until(async () => (await sql("SELECT FROM evaluation.job WHERE finished_at IS NULL")).length === 0);
  expect([answers.length, model.calls()]).toEqual([20, 20]);
});

test("an answer that was not acknowledged is recorded later, by another process, without another call", async () => {
  await offered(3);
  peer.isDownForRecords = true;
  const model = serving();
  worker = start(model.found);
  await until(
    async () =>
      (await sql("SELECT FROM evaluation.job WHERE outcome IS NOT NULL AND leased_until IS NULL")).length === 3,
  );
  await worker.stop();
  peer.isDownForRecords = false;
  clock.advance(10_000);
  worker = start(model.found);
  await until(() => answers.length === 3);
  expect(model.calls()).toBe(3);
});

test("a question waits for a budget, reports it, and is answered when there is room", async () => {
  const tenant = testTenant();
  const { applicationId, orgId } = tenant;
  const budget = (tokens: number) =>
    sql(
      `INSERT INTO evaluation.setting (application_id, org_id, day_tokens, modified_at) VALUES ($1, $2, $3, now())
        ON CONFLICT (application_id) DO UPDATE SET day_tokens = $3`,
      [applicationId, orgId, tokens],
    );
  await budget(1);
  await offered(1, tenant);
  const model = serving();
  worker = start(model.found);
  await until(() => answers.length === 1);
  expect(answers).toMatchObject([{ outcome: { case: "waitingFor", value: "budget" } }]);
  expect(model.calls()).toBe(0);
  await budget(1_000_000);
  await sql("UPDATE evaluation.job SET next_attempt_at = $1 WHERE waiting_for = 'budget'", [clock.now()]);
  await until(() => answers.at(-1)?.outcome.case === "finding");
});

test("a retryable fault is retried; a permanent fault and a refusal are the question's result", async () => {
  await offered(3);
  const faults = [
    new ModelFault("unavailable", "busy", { retryAfterMs: 1_000 }),
    new ModelFault("rejected", "unknown parameter"),
    new ModelFault("refused", "no"),
  ];
  worker = start(
    serving(() => {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
    }).found,
  );
  await until(() => answers.length === 3);
  expect(answers.map(({ outcome }) => outcome.value).sort()).toEqual([
    "model_error: unknown parameter",
    "model_refused: no",
    "retry",
  ]);
  clock.advance(60_000);
  await until(() => answers.length === 4);
  expect(answers[3]?.outcome.case).toBe("finding");
});

test("after the model connection is deleted, questions report its absence", async () => {
  await offered(2);
  worker = start(undefined);
  await until(() => answers.length === 2);
  expect(answers[0]?.outcome).toMatchObject({
    case: "failure",
    value: expect.stringMatching(/^no_model_connection: /),
  });
});
