// Jobs that fail because of defects in the service: no call is repeated without limit, and each job ends with a reason.

import { unavailable } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { testTenant } from "@ems/test-support";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { jobsHarness, judgeByOneCall } from "../../test/jobs-harness.ts";
import type { Judge } from "../judges/judge.ts";
import { attemptsMax } from "./backoff.ts";
import type { JobWorker } from "./worker.ts";

const harness = await jobsHarness({ JOBS_LEASE_MS: "2000" });
const { add, clock, connection, ended, outcomes, peer, sql, start } = harness;
let worker: JobWorker | undefined;

beforeEach(async () => {
  await sql("TRUNCATE evaluation.job, evaluation.model_call, evaluation.spending");
  outcomes.length = 0;
  harness.prompts.length = 0;
  Object.assign(peer, { isDown: false, isDownForRecords: false, onRead: () => undefined, onRecord: () => undefined });
});
afterEach(() => worker?.stop());

/** Waits for the condition while it advances time fast enough for all backoffs. */
const until = (condition: () => unknown) =>
  vi.waitFor(
    async () => {
      clock.advance(20 * 60_000);
      expect(await condition()).toBe(true);
    },
    { timeout: 30_000, interval: 20 },
  );
const count = (generate = async () => undefined) => vi.fn(generate);

test("a judge with a defect is tried eight times at most, and its evaluation refers to the log", async () => {
  const [id] = await add(1);
  const judge: Judge = async (input, deps) => {
    await judgeByOneCall(input, deps);
    throw new TypeError("x is not a function");
  };
  const generate = count();
  worker = start(connection(generate), judge);
  await until(() => ended().length === 1);
  const [outcome] = ended();
  expect(outcome).toMatchObject({ status: EvaluationStatus.FAILED, id });
  expect(outcome?.message).toMatch(
    new RegExp(`^attempts_exhausted: An internal error; the log has details for job ${id}`),
  );
  expect(generate.mock.calls.length).toBeLessThanOrEqual(attemptsMax);
  expect(outcome?.inputTokens).toBe(BigInt(10 * generate.mock.calls.length));
});

test("a defect before the call counts attempts, too", async () => {
  await add(1);
  peer.onRead = () => {
    throw new Error("defect of experiments");
  };
  const generate = count();
  worker = start(connection(generate));
  await until(() => ended().length === 1);
  expect(ended()).toMatchObject(
    [{ status: EvaluationStatus.FAILED, message: /^attempts_exhausted: An internal error/ }].map(
      ({ status, message }) => ({ status, message: expect.stringMatching(message) }),
    ),
  );
  expect(generate).not.toHaveBeenCalled();
});

test("a defect in one of a test's evaluations does not affect the others", async () => {
  const testId = newId();
  const tenant = testTenant();
  const [first] = await add(1, tenant, { testId });
  await add(2, tenant, { testId });
  const generate = count();
  let calls = 0;
  const judge: Judge = async (input, deps) => {
    if (++calls === 1) return { status: "COMPLETED", score: Number.NaN, passed: true, judgeVersion: "\0" };
    return judgeByOneCall(input, deps);
  };
  peer.onRecord = () => undefined;
  worker = start(connection(generate), judge);
  await until(() => ended().length === 3);
  expect(first).toBeDefined();
  expect(generate).toHaveBeenCalledTimes(2);
});

test.each([
  ["a number that is no count", { attempts: 1.5 }],
  ["a number beyond 64 bits", { costMicro: 1e308 }],
])("a result with %s is not sent without limit: the job ends FAILED, without another call", async (_, broken) => {
  const [id] = await add(1);
  const generate = count();
  const judge: Judge = async (input, deps) => ({ ...(await judgeByOneCall(input, deps)), score: 1, ...broken });
  worker = start({ ...connection(generate), cost: () => ("costMicro" in broken ? 1e300 : 1) }, judge);
  await until(() => ended().length === 1);
  expect(ended()).toMatchObject([{ id, status: expect.any(Number) }]);
  expect(generate.mock.calls.length).toBeLessThanOrEqual(attemptsMax);
});

test("an outcome that experiments refuses is recorded as FAILED after eight attempts, and others in the meantime", async () => {
  const [refused, ...accepted] = await add(3, testTenant());
  const refusals: string[] = [];
  peer.onOutcome = ({ id, message }) => {
    if (id !== refused || message?.startsWith("unstorable_result") === true) return;
    refusals.push(id);
    throw new Error("violates a constraint");
  };
  const generate = count();
  worker = start(connection(generate));
  await until(() => ended().length === 3);
  const byId = new Map(ended().map((outcome) => [outcome.id, outcome]));
  for (const id of accepted) expect(byId.get(id)).toMatchObject({ status: EvaluationStatus.COMPLETED });
  expect(byId.get(refused ?? "")).toMatchObject({
    status: EvaluationStatus.FAILED,
    message: expect.stringMatching(/^unstorable_result: /),
    inputTokens: 10n,
  });
  expect(generate).toHaveBeenCalledTimes(3);
  expect(refusals.length).toBeGreaterThanOrEqual(attemptsMax);
  peer.onOutcome = () => undefined;
});

test("a job whose workers are lost ends after eight attempts and pays for no further calls", async () => {
  await add(1);
  await sql("UPDATE evaluation.job SET attempts = 7, leased_until = now() - interval '1 minute'");
  const generate = count();
  worker = start(connection(generate));
  await until(() => ended().length === 1);
  expect(ended()).toMatchObject([
    {
      status: EvaluationStatus.FAILED,
      message: "attempts_exhausted: Processes ended during the evaluation, after 8 attempts",
    },
  ]);
  expect(generate).not.toHaveBeenCalled();
});

test("an outage of experiments is no attempt", async () => {
  await add(1);
  let isDown = true;
  peer.onRead = () => {
    if (isDown) throw unavailable();
  };
  const generate = count();
  worker = start(connection(generate));
  for (let round = 0; round < 12; round++) await until(() => true);
  isDown = false;
  await until(() => ended().length === 1);
  expect(ended()).toMatchObject([{ status: EvaluationStatus.COMPLETED, attempts: 1 }]);
});
