// Paid votes are kept through retries and the death of processes.

import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { beforeEach, expect, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import { judge, ModelFault, type ModelRequest } from "../judges/index.ts";
import type { Connection } from "./connections.ts";

// One job at a time, so that a worker does not claim the job whose lease it lost.
const harness = await jobsHarness({ JOBS_CONCURRENCY: "1" });
const { add, clock, connection, ended, outcomes, sql, start } = harness;

beforeEach(async () => {
  await sql("TRUNCATE evaluation.job, evaluation.model_call, evaluation.spending");
  outcomes.length = 0;
});

const until = (condition: () => unknown) =>
  vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 30_000, interval: 20 });
const usage = { inputTokens: 10, outputTokens: 5 };

/** A model that answers yes, unless `instead` replaces the n-th call; records its requests. */
function scripted(instead: (nth: number) => Promise<void> | undefined, overrides: Partial<Connection> = {}) {
  const requests: ModelRequest<unknown>[] = [];
  const caller: Connection["caller"] = {
    async generate(request) {
      requests.push(request as ModelRequest<unknown>);
      await instead(requests.length);
      const object = request.schema.parse({ rationale: "It is", quotes: ["A"], choice: "Y" });
      if (object === undefined) throw new ModelFault("schema", "breaks the schema");
      return { object, usage, model: "m" };
    },
  };
  return { requests, found: { ...connection(async () => undefined, overrides), caller } };
}

const listSeeds = ({ requests }: ReturnType<typeof scripted>) => requests.map(({ seed }) => seed);

test("a job that failed after vote 2 of 3 requests one more", async () => {
  await add(1);
  const model = scripted((nth) => (nth === 3 ? Promise.reject(new ModelFault("unavailable", "busy")) : undefined));
  const worker = start(model.found, judge, undefined, 3);
  await until(async () => (await sql("SELECT FROM evaluation.job WHERE waiting_for = 'retry'")).length === 1);
  clock.advance(60 * 60_000);
  await until(() => ended().length === 1);
  expect(listSeeds(model)).toEqual([1, 2, 3, 3]);
  // All votes are paid for once and counted once.
  expect(ended()).toMatchObject([
    { status: EvaluationStatus.COMPLETED, attempts: 2, inputTokens: 30n, outputTokens: 15n, costMicro: 45n },
  ]);
  await worker.stop();
  expect(await sql("SELECT replies FROM evaluation.job")).toEqual([{ replies: null }]);
});

test("a job whose process was lost in vote 3 of 3 requests one more", async () => {
  await add(1);
  const never = Promise.withResolvers<void>();
  const lost = scripted((nth) => (nth === 3 ? never.promise : undefined));
  const first = start(lost.found, judge, undefined, 3);
  await until(() => lost.requests.length === 3);
  // Ends the lease, which is not renewed, so that another worker can claim the job.
  await sql("UPDATE evaluation.job SET leased_until = now() - interval '1 second'");
  const next = scripted(() => undefined, { ...lost.found });
  const second = start(next.found, judge, undefined, 3);
  await until(() => ended().length === 1);
  expect([listSeeds(lost), listSeeds(next)]).toEqual([[1, 2, 3], [3]]);
  expect(ended()).toMatchObject([{ status: EvaluationStatus.COMPLETED, inputTokens: 30n, outputTokens: 15n }]);
  never.resolve();
  await Promise.all([first.stop(), second.stop()]);
  expect(ended().length).toBeGreaterThanOrEqual(1);
});

test("another connection's replies are another measurement", async () => {
  await add(1);
  const failing = scripted((nth) => (nth === 3 ? Promise.reject(new ModelFault("unavailable", "busy")) : undefined));
  const first = start(failing.found, judge, undefined, 3);
  await until(async () => (await sql("SELECT FROM evaluation.job WHERE waiting_for = 'retry'")).length === 1);
  await first.stop();
  clock.advance(60 * 60_000);
  const other = scripted(() => undefined, { id: failing.found.id, model: "another" });
  const worker = start(other.found, judge, undefined, 3);
  await until(() => ended().length === 1);
  expect(listSeeds(other)).toEqual([1, 2, 3]);
  await worker.stop();
});
