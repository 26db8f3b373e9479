// Paid answers are kept even if connections to the database are cut or refused at any moment of a job.

import { monotonicMs } from "@ems/kit/clock";
import { newId } from "@ems/kit/id";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { testTenant } from "@ems/test-support";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import { judge, ModelFault, type ModelRequest } from "../judges/index.ts";
import type { Connection } from "./connections.ts";
import { MeteredModel } from "./metered-model.ts";
import type { JobWorker } from "./worker.ts";

const harness = await jobsHarness({ JOBS_LEASE_MS: "1000" });
const {
  add,
  budgets,
  clock,
  connection,
  ended,
  limits,
  outcomes,
  own,
  peer,
  prompts,
  proxy,
  relayDatabase,
  sql,
  start,
} = harness;
let worker: JobWorker | undefined;

beforeEach(async () => {
  await sql("TRUNCATE evaluation.job, evaluation.model_call, evaluation.spending");
  outcomes.length = 0;
  prompts.length = 0;
  Object.assign(peer, { onRead: () => undefined, onRecord: () => undefined });
});
afterEach(async () => {
  proxy.set("pass");
  await worker?.stop();
  // The pools may still contain connections that were broken by the outage.
  const query = () => own.withScope(testTenant(), monotonicMs() + 5_000, (tx) => tx.query("SELECT"));
  const all = () => Promise.all([relayDatabase.query({ text: "SELECT" }), ...Array.from({ length: 8 }, query)]);
  await until(() => all().then(() => true));
  worker = undefined;
});

/** Waits while it advances the clock: jobs that found no database before their call are due again in seconds. */
const until = (condition: () => unknown) =>
  vi.waitFor(
    async () => {
      clock.advance(1_000);
      expect(await condition()).toBe(true);
    },
    { timeout: 30_000, interval: 20 },
  );
const atFirst = (work: () => void) => {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
};

/** A model that answers yes, unless `instead` throws for the n-th call. */
function scripted(instead: (nth: number) => void, tokens = { inputTokens: 10, outputTokens: 5 }) {
  const requests: ModelRequest<unknown>[] = [];
  const caller: Connection["caller"] = {
    async generate(request) {
      requests.push(request as ModelRequest<unknown>);
      instead(requests.length);
      const answers = [{ rationale: "It is", quotes: ["A"], choice: "Y" }, { prompt: "Hello" }];
      const object = answers.map((answer) => request.schema.parse(answer)).find((parsed) => parsed !== undefined);
      if (object === undefined) throw new ModelFault("schema", "breaks the schema");
      return { object, usage: tokens, model: "m" };
    },
  };
  return { requests, found: { ...connection(async () => undefined), caller } };
}

/** Kinds of outages: connections are cut once, or are refused until several attempts have failed. */
const faults = {
  lost: () => proxy.disconnect(),
  refused: () => {
    proxy.set("refuse");
    const before = proxy.connections();
    void until(() => proxy.connections() >= before + 4).finally(() => proxy.set("pass"));
  },
};

const moments = [
  ["before the model is asked", 0],
  ["after the first of three votes", 1],
  ["after the second of three votes", 2],
  ["after the last of three votes", 3],
  ["when experiments takes the outcome", 4],
] as const;
const cases = Object.entries(faults).flatMap(([name, fault]) =>
  moments.map(([when, moment]) => [name, when, moment, fault] as const),
);

test.each(cases)("connections that are %s %s cost no answer and no attempt", async (_, __, moment, fault) => {
  const [tenant, fail] = [testTenant(), atFirst(fault)];
  const model = scripted((nth) => nth === moment && fail());
  if (moment === 0) peer.onRead = fail;
  if (moment === 4) peer.onRecord = fail;
  await add(2, tenant);
  worker = start(model.found, judge, undefined, 3);
  await until(async () => (await sql("SELECT FROM evaluation.job WHERE finished_at IS NULL")).length === 0);
  expect(model.requests).toHaveLength(6);
  for (const outcome of ended())
    expect(outcome).toMatchObject({
      status: EvaluationStatus.COMPLETED,
      attempts: 1,
      inputTokens: 30n,
      costMicro: 45n,
    });
  const spent = "SELECT tokens::int, cost_micro::int FROM evaluation.spending WHERE period = 'day'";
  expect(await sql(spent)).toEqual([{ tokens: 90, cost_micro: 90 }]);
});

test("an outage that outlives the lease costs no answer, either", async () => {
  const model = scripted((nth) => nth === 3 && proxy.set("refuse"));
  await add(1);
  worker = start(model.found, judge, undefined, 3);
  const lapsed = "SELECT FROM evaluation.job WHERE leased_until < clock_timestamp() - interval '1 second'";
  await until(async () => (await sql(lapsed)).length === 1);
  proxy.set("pass");
  await until(async () => (await sql("SELECT FROM evaluation.job WHERE finished_at IS NOT NULL")).length === 1);
  expect(model.requests).toHaveLength(3);
  expect(ended().at(-1)).toMatchObject({ status: EvaluationStatus.COMPLETED, attempts: 1 });
});

test("votes survive an outage in which the model fails, too", async () => {
  const model = scripted((nth) => {
    if (nth !== 3) return;
    faults.refused();
    throw new ModelFault("unavailable", "busy");
  });
  await add(1);
  worker = start(model.found, judge, undefined, 3);
  await until(() => ended().length === 1);
  expect(model.requests.map(({ seed }) => seed)).toEqual([1, 2, 3, 3]);
  expect(ended()).toMatchObject([{ status: EvaluationStatus.COMPLETED, attempts: 2 }]);
});

test("the prompt of a simulated user survives an outage", async () => {
  const model = scripted((nth) => nth === 1 && faults.refused());
  const id = newId();
  await add(1, testTenant(), { id, testId: id, kind: "PROMPT" });
  worker = start(model.found);
  await until(async () => (await sql("SELECT FROM evaluation.job WHERE finished_at IS NOT NULL")).length === 1);
  expect([model.requests.length, prompts.at(-1)?.result.case]).toEqual([1, "prompt"]);
});

test("a caller that cannot wait for the database gets its answer, and the charge is uncertain", async () => {
  const stopping = new AbortController();
  const tenant = testTenant();
  const { found } = scripted(() => proxy.set("refuse"));
  const connections = { find: async () => found, succeeded: async () => undefined, failed: async () => false };
  const meter = { limits, budgets, connections, clock, newId, callTimeoutMs: 1_000 };
  const schema = { name: "answer", json: {}, parse: () => "yes" };
  const answer = new MeteredModel(meter, tenant, found, null).generate({
    system: "judge",
    prompt: "answer",
    schema,
    temperature: 0,
    maxOutputTokens: 10,
    signal: stopping.signal,
  });
  const before = proxy.connections();
  await until(() => proxy.connections() > before + 2);
  stopping.abort(new Error("the caller's time is over"));
  expect(await answer).toMatchObject({ object: "yes" });
  proxy.set("pass");
  const open = "SELECT FROM evaluation.model_call WHERE ended_at IS NULL AND expires_at <= clock_timestamp()";
  await until(async () => (await sql(open)).length === 1);
  await budgets.chargeLost(tenant);
  const [spent] = await sql<{ tokens: number; uncertain: number }>(
    "SELECT tokens::int, uncertain_tokens::int AS uncertain FROM evaluation.spending WHERE period = 'day'",
  );
  expect(spent).toMatchObject({ tokens: 0, uncertain: expect.toSatisfy((tokens: number) => tokens > 15) });
});
