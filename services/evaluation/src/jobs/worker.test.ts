import { newId } from "@ems/kit/id";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { testTenant } from "@ems/test-support";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import { ModelFault } from "../judges/judge.ts";
import type { JobWorker } from "./worker.ts";

const harness = await jobsHarness({ JOBS_CONCURRENCY: "8" });
const { add, clock, connection, ended, outcomes, peer, sql, start } = harness;
const ok = async () => undefined;
let worker: JobWorker | undefined;

beforeEach(async () => {
  await sql(
    "TRUNCATE evaluation.job, evaluation.model_call, evaluation.spending, evaluation.setting, evaluation.outbox",
  );
  outcomes.length = 0;
  harness.prompts.length = 0;
  Object.assign(peer, { isDown: false, isDownForRecords: false, promptInput: {} });
});
afterEach(() => worker?.stop());

const jobs = () =>
  sql<{ id: string; attempts: number; waiting_for: string | null; finished_at: Date | null; next_attempt_at: Date }>(
    "SELECT * FROM evaluation.job ORDER BY id",
  );
const until = (condition: () => unknown) => vi.waitFor(async () => expect(await condition()).toBe(true), 30_000);

test("a job is judged once, recorded with its usage, and ends", async () => {
  const [id] = await add(1);
  const used = connection(ok);
  worker = start(used);
  await until(async () => (await jobs()).every(({ finished_at }) => finished_at !== null));
  expect(outcomes).toMatchObject([
    {
      id,
      status: EvaluationStatus.COMPLETED,
      score: 1,
      passed: true,
      judgeVersion: "test/1",
      definitionVersion: 3,
      modelConnectionId: used.id,
      model: "m",
      inputTokens: 10n,
      outputTokens: 5n,
      costMicro: 15n,
      attempts: 1,
    },
  ]);
});

test("work that is offered again creates no second job, not even after its end", async () => {
  const tenant = testTenant();
  const id = newId();
  await add(1, tenant, { id, testId: id });
  worker = start(connection(ok));
  await until(() => ended().length === 1);
  await add(1, tenant, { id, testId: id });
  const [other] = await add(1, tenant);
  await until(() => ended().length === 2);
  expect(ended().map((outcome) => outcome.id)).toEqual([id, other]);
});

test("an evaluation that ended or was replaced in the meantime costs no call", async () => {
  const [id = ""] = await add(1);
  peer.gone.add(id);
  const generate = vi.fn(ok);
  worker = start(connection(generate));
  await until(async () => (await jobs()).every(({ finished_at }) => finished_at !== null));
  expect([generate.mock.calls.length, outcomes.length]).toEqual([0, 0]);
});

test("an outcome that was not acknowledged is stored and recorded later, without another call", async () => {
  const generate = vi.fn(ok);
  await add(1);
  peer.isDownForRecords = true;
  worker = start(connection(generate));
  await until(
    async () =>
      (await sql("SELECT FROM evaluation.job WHERE outcome IS NOT NULL AND leased_until IS NULL")).length === 1,
  );
  // The worker is killed after storing the outcome and before ending the job; another worker continues with it.
  await worker.stop();
  peer.isDownForRecords = false;
  clock.advance(10_000);
  worker = start(connection(generate));
  await until(() => ended().length === 1);
  expect(generate).toHaveBeenCalledTimes(1);
});

test("a lease ends with its worker, and another worker continues", async () => {
  const [id] = await add(1);
  await sql("UPDATE evaluation.job SET leased_until = now() + interval '400 milliseconds'");
  worker = start(connection(ok));
  await until(() => ended().length === 1);
  expect(ended()[0]?.id).toBe(id);
});

test("a retryable fault is retried after a backoff, and Retry-After is obeyed", async () => {
  await add(1);
  const faults = [new ModelFault("unavailable", "busy", { retryAfterMs: 600_000 })];
  worker = start(
    connection(async () => {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
    }),
  );
  await until(async () => (await jobs())[0]?.waiting_for === "retry");
  const [job] = await jobs();
  expect(job?.attempts).toBe(1);
  expect(job?.next_attempt_at.getTime()).toBeGreaterThanOrEqual(clock.now().getTime() + 600_000);
  await until(() => outcomes.length === 1);
  expect(outcomes).toMatchObject([{ status: EvaluationStatus.PENDING, waitingFor: "retry" }]);
  clock.advance(800_000);
  await until(() => ended().length === 1);
  expect(ended()).toMatchObject([{ status: EvaluationStatus.COMPLETED, attempts: 2 }]);
});

test("no job waits before experiments has the reason, and reporting it needs no model call", async () => {
  await add(1);
  peer.isDownForRecords = true;
  const called = Promise.withResolvers<void>();
  const generate = vi.fn(() => {
    called.resolve();
    return Promise.reject(new ModelFault("unavailable", "busy", { retryAfterMs: 600_000 }));
  });
  worker = start(connection(generate));
  await called.promise;
  clock.advance(60_000);
  expect(await jobs()).toMatchObject([{ waiting_for: null, leased_until: expect.any(Date) }]);
  peer.isDownForRecords = false;
  await until(async () => (await jobs())[0]?.waiting_for === "retry");
  expect(outcomes).toMatchObject([{ status: EvaluationStatus.PENDING, waitingFor: "retry" }]);
  expect(await jobs()).toMatchObject([{ attempts: 1, leased_until: null }]);
  expect(generate).toHaveBeenCalledTimes(1);
});

test("after eight attempts it fails, with the reason", async () => {
  await add(1);
  await sql("UPDATE evaluation.job SET attempts = 7");
  worker = start(connection(() => Promise.reject(new ModelFault("unavailable", "busy"))));
  await until(() => ended().length === 1);
  expect(ended()).toMatchObject([
    { status: EvaluationStatus.FAILED, message: "attempts_exhausted: busy, after 8 attempts", attempts: 8 },
  ]);
});

test("a permanent fault fails at once", async () => {
  await add(1);
  worker = start(connection(() => Promise.reject(new ModelFault("rejected", "HTTP 401"))));
  await until(() => ended().length === 1);
  expect(ended()).toMatchObject([{ status: EvaluationStatus.FAILED, message: "model_error: HTTP 401", attempts: 1 }]);
});

test("jobs of a paused connection wait for it, uncharged", async () => {
  await add(2);
  worker = start(connection(ok, { pauseReason: "HTTP 401" }));
  await until(async () => (await jobs()).every(({ waiting_for }) => waiting_for === "model_connection"));
  expect((await jobs()).map(({ attempts }) => attempts)).toEqual([0, 0]);
});

test("four tenants get equal shares while one has 10,000 waiting jobs", async () => {
  const tenants = Array.from({ length: 4 }, () => testTenant());
  const owner = new Map<string, number>();
  for (const [index, tenant] of tenants.entries())
    for (const id of await add(index === 0 ? 10_000 : 30, tenant)) owner.set(id, index);
  worker = start(connection(ok));
  const countEnded = (index: number) => ended().filter(({ id }) => owner.get(id) === index).length;
  await until(() => [1, 2, 3].every((index) => countEnded(index) >= 20));
  const first = ended().slice(0, 80);
  for (const index of tenants.keys()) {
    const share = first.filter(({ id }) => owner.get(id) === index).length;
    expect(share).toBeGreaterThanOrEqual(12);
  }
}, 60_000);

test("a worker that stops releases its claimed jobs, uncharged", async () => {
  await add(1);
  const called = Promise.withResolvers<void>();
  worker = start(
    connection(({ signal }) => {
      called.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }),
  );
  await called.promise;
  await worker.stop();
  const [job] = await jobs();
  expect(job).toMatchObject({ attempts: 0, finished_at: null, leased_until: null });
}, 20_000);

test("a simulated user's prompt is written by the model, and one that breaks its schema is rejected", async () => {
  const simulatedPromptSchema = {
    type: "object",
    properties: { city: { type: "string", pattern: "^[A-Z]" } },
    required: ["city"],
  };
  peer.promptInput = { simulatedPromptSchema };
  const id = newId();
  await add(1, testTenant(), { id, testId: id, kind: "PROMPT" });
  const made = connection(ok);
  const caller: typeof made.caller = {
    async generate({ schema }) {
      const object = schema.parse({ city: "Oslo" });
      if (object === undefined || schema.parse({ city: "oslo" }) !== undefined || schema.parse({}) !== undefined)
        throw new ModelFault("schema", "the schema is not checked");
      return { object, usage: { inputTokens: 1, outputTokens: 1 }, model: "m" };
    },
  };
  worker = start({ ...made, caller });
  await until(() => harness.prompts.length === 1);
  expect(harness.prompts[0]?.result).toMatchObject({ case: "prompt", value: { kind: { case: "structValue" } } });
});
