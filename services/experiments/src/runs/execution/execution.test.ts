import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "@ems/kit/enum";
import { newId } from "@ems/kit/id";
import { TaskType } from "@ems/proto/catalog/v1/task_service";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { ResultStatus, TestOutcomeSchema } from "@ems/proto/experiments/v1/run";
import { testTenant } from "@ems/test-support";
import { describe, expect, test } from "vitest";
import { executions, passedOutcome } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";
import { expectExactSums } from "../../../test/sums.ts";

const harness = await experimentsHarness();
const { database } = harness;

/** Runs `work` for a new tenant, then checks that the tenant's rollups are exact. */
async function inTenant(work: (of: ReturnType<typeof executions>) => Promise<void>): Promise<void> {
  const of = executions(harness, testTenant());
  await work(of);
  await expectExactSums(database, of.tenant.applicationId);
}

/** Creates a test whose evaluations are offered to judges. */
async function judged(of: ReturnType<typeof executions>, definitions: number) {
  const triggered = await of.trigger({ definitions });
  const [first] = triggered.tests;
  const id = first?.id ?? "";
  await of.accept(id);
  await of.sendTrace(id);
  return { ...triggered, id, offered: of.listEvaluations(await of.claim(1)) };
}

describe("a test", () => {
  test("runs from its prompt through delivery, trace and judges to its end, and publishes its end once", () =>
    inTenant(async (of) => {
      const { runId, tests } = await of.trigger({ definitions: 2 });
      const [first] = tests;
      const id = first?.id ?? "";
      expect(first).toMatchObject({ status: ResultStatus.PENDING, waitingFor: "delivery", evals: [], runId });
      expect(first?.prompt?.kind).toEqual({ case: "stringValue", value: "Hello" });
      expect(await of.events("prompt.requested", id)).toMatchObject([{ testId: id, prompt: "Hello" }]);
      expect(await of.readRun(runId)).toMatchObject({
        status: ResultStatus.IN_PROGRESS,
        progress: { completed: 0n, total: 1n },
      });

      await of.accept(id);
      await of.accept(id);
      expect(await of.readTest(id)).toMatchObject({ status: ResultStatus.IN_PROGRESS, waitingFor: "trace" });
      await of.sendTrace(id);
      const work = await of.claim(1);
      const [firstOffer, secondOffer] = of.listEvaluations(work);
      await of.execution.confirmWork({ claims: work.map(({ claim }) => claim) }, of.call());
      expect(await of.readTest(id)).toMatchObject({
        evals: [{ status: 1 }, { status: 1 }],
        traceId: expect.any(String),
      });

      const waiting = { id: firstOffer?.id ?? "", status: EvaluationStatus.PENDING, waitingFor: "budget" };
      await of.record([waiting, { ...waiting, id: secondOffer?.id ?? "" }]);
      expect(await of.readTest(id)).toMatchObject({ waitingFor: "budget", evals: [{ waitingFor: "budget" }, {}] });
      const outcome = {
        ...passedOutcome,
        definitionVersion: 3,
        judgeVersion: "fact/1",
        model: "m",
        inputTokens: 5n,
        outputTokens: 2n,
        costMicro: 70n,
        uncertainCostMicro: 30n,
        estimatedTokens: 4n,
        durationMs: 9,
        attempts: 2,
        results: { score: 1 },
      };
      await of.record([{ id: firstOffer?.id ?? "", ...outcome }]);
      expect(await of.events("test.completed", id)).toEqual([]);
      await of.record([{ id: secondOffer?.id ?? "", ...passedOutcome, score: 0.5 }]);
      await of.record([{ id: secondOffer?.id ?? "", status: EvaluationStatus.FAILED }]);

      const ended = await of.readTest(id);
      expect(ended).toMatchObject({ status: ResultStatus.COMPLETED, score: 0.75, passed: true });
      expect(ended?.waitingFor).toBeUndefined();
      expect(ended?.evals.find((row) => row.id === firstOffer?.id)).toMatchObject({ ...outcome, score: 1 });
      expect(await of.readRun(runId)).toMatchObject({
        status: ResultStatus.COMPLETED,
        progress: { completed: 1n, total: 1n },
        result: { passRate: 1, averageScore: 0.75 },
      });
      const [testCompleted, ...moreTests] = await of.events("test.completed", id);
      expect(testCompleted).toMatchObject({ status: "COMPLETED", score: 0.75, passed: true, evals: [{}, {}] });
      const [runCompleted, ...moreRuns] = await of.events("run.completed", runId);
      expect(runCompleted).toMatchObject({ id: runId, status: "COMPLETED", result: { passRate: 1, total: 1 } });
      expect([...moreTests, ...moreRuns]).toEqual([]);
      expect(await of.execution.claimWork({ limit: 500, leaseMs: 1_000 }, of.call())).toMatchObject({ work: [] });
    }));

  test.each<[string, { status: EvaluationStatus; passed?: boolean; score?: number }[], object]>([
    [
      "one that did not pass",
      [passedOutcome, { ...passedOutcome, passed: false, score: 0 }],
      { passed: false, score: 0.5, outcome: "FAILED" },
    ],
    ["one that failed", [passedOutcome, { status: EvaluationStatus.FAILED }], { outcome: "ERRORED" }],
    [
      "one that was skipped",
      [passedOutcome, { status: EvaluationStatus.SKIPPED }],
      { passed: true, score: 1, outcome: "PASSED" },
    ],
    ["only skipped ones", [{ status: EvaluationStatus.SKIPPED }], { outcome: "NONE" }],
    ["only failed ones", [{ status: EvaluationStatus.FAILED }], { outcome: "ERRORED" }],
  ])("with %s", (_, outcomes, result) =>
    inTenant(async (of) => {
      const { id, offered } = await judged(of, outcomes.length);
      await of.record(outcomes.map((outcome, at) => ({ id: offered[at]?.id ?? "", ...outcome })));
      const { score, passed, status, outcome } = (await of.readTest(id)) ?? {};
      const name = outcome && enumName(TestOutcomeSchema, outcome);
      expect(JSON.parse(JSON.stringify({ score, passed, outcome: name }))).toEqual(result);
      expect(status).toBe(ResultStatus.COMPLETED);
    }),
  );

  test("without definitions ends with its trace, without a result", () =>
    inTenant(async (of) => {
      const { tests, runId } = await of.trigger({ definitions: 0 });
      const id = tests[0]?.id ?? "";
      // Applications may send the trace before they respond to the delivery.
      await of.sendTrace(id);
      await expect.poll(async () => (await of.readTest(id))?.status).toBe(ResultStatus.COMPLETED);
      await of.accept(id);
      const ended = await of.readTest(id);
      expect([ended?.score, ended?.passed, ended?.result, ended?.waitingFor]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(await of.readRun(runId)).toMatchObject({ status: ResultStatus.COMPLETED });
      expect(await of.events("run.completed", runId)).toHaveLength(1);
    }));

  test("fails with the reason of a failed delivery, and a late trace does not change it", () =>
    inTenant(async (of) => {
      const { tests, runId } = await of.trigger({ repeat: 2 });
      const [firstId, secondId] = tests.map(({ id }) => id);
      await of.fail(firstId ?? "", "HTTP 500");
      await of.fail(firstId ?? "", "again");
      await of.accept(firstId ?? "");
      expect(await of.readTest(firstId ?? "")).toMatchObject({
        status: ResultStatus.FAILED,
        message: "prompt_failed: HTTP 500",
      });
      await of.sendTrace(firstId ?? "", secondId ?? "");
      await of.claim(1);
      expect(await of.readTest(firstId ?? "")).toMatchObject({ status: ResultStatus.FAILED, evals: [] });
      expect(await of.readRun(runId)).toMatchObject({ status: ResultStatus.IN_PROGRESS, progress: { completed: 1n } });
      expect(await of.events("test.completed", firstId ?? "")).toHaveLength(1);
    }));

  test("uses the answer in the body of the response as its trace", () =>
    inTenant(async (of) => {
      const { tests } = await of.trigger();
      const id = tests[0]?.id ?? "";
      await of.accept(id, JSON.stringify({ output: "Good morning" }));
      await of.claim(1);
      expect(await of.readTest(id)).toMatchObject({ durationMs: 7, status: ResultStatus.IN_PROGRESS, evals: [{}] });
    }));

  test("does not change if it is unknown, recorded, or of another application", () =>
    inTenant(async (of) => {
      const other = executions(harness, testTenant());
      const { tests } = await of.trigger();
      const id = tests[0]?.id ?? "";
      await other.fail(id);
      await other.sendTrace(id);
      await of.fail(newId());
      const [recorded] = (
        await of.tests.recordResults(
          {
            tests: [
              { taskId: newId(), status: ResultStatus.PENDING, createdAt: timestampFromDate(harness.clock.now()) },
            ],
          },
          of.call(),
        )
      ).testIds;
      await of.fail(recorded ?? "");
      await of.sendTrace(recorded ?? "");
      expect(await of.readTest(id)).toMatchObject({ status: ResultStatus.PENDING });
      expect(await of.readTest(recorded ?? "")).toMatchObject({ status: ResultStatus.PENDING });
    }));
});

test("a run with a completed, archived test does not fail with its last test", async () => {
  const of = executions(harness, testTenant());
  const { runId, tests } = await of.trigger({ repeat: 2 });
  const [first = "", last = ""] = tests.map(({ id }) => id);
  await of.accept(first);
  await of.sendTrace(first);
  await of.record(of.listEvaluations(await of.claim(1)).map(({ id }) => ({ id, ...passedOutcome })));
  await database.sql("DELETE FROM experiments.test WHERE id = $1", [first]);
  await of.fail(last);
  expect((await of.readRun(runId))?.status).toBe(ResultStatus.COMPLETED);
});

test("a hundred tests that end at the same time in two processes end their run once", () =>
  inTenant(async (of) => {
    const { tests, runId } = await of.trigger({
      repeat: 20,
      plan: { type: TaskType.STATIC, inputExamples: ["a", "b", "c", "d", "e"] },
    });
    expect(tests).toHaveLength(100);
    for (let at = 0; at < 100; at += 20) {
      await Promise.all(tests.slice(at, at + 20).map(({ id }) => of.accept(id)));
    }
    await of.sendTrace(...tests.map(({ id }) => id));
    const offered = of.listEvaluations(await of.claim(100));
    const outcomes = offered.map(({ id }) => ({ id, ...passedOutcome }));
    const batches = Array.from({ length: 34 }, (_, at) => outcomes.slice(at * 3, at * 3 + 3));
    const recorder = async (own: typeof batches) => {
      for (const batch of own) await of.record(batch);
    };
    await Promise.all([recorder(batches), recorder(batches.toReversed())]);
    expect(await of.readRun(runId)).toMatchObject({
      status: ResultStatus.COMPLETED,
      progress: { completed: 100n, total: 100n },
    });
    expect(await of.events("run.completed", runId)).toHaveLength(1);
    expect(await of.events("test.completed", runId)).toHaveLength(100);
  }));

test("work is claimed by applications in turn, reclaimed after its lease, and confirmed once", async () => {
  const [firstApplication, secondApplication] = [executions(harness, testTenant()), executions(harness, testTenant())];
  const many = await firstApplication.trigger({ repeat: 5, simulate: true });
  const few = await secondApplication.trigger({ repeat: 1, simulate: true });
  const claimed = async (leaseMs = 1_000) =>
    (await firstApplication.execution.claimWork({ limit: 2, leaseMs }, firstApplication.call())).work;
  const first = await claimed();
  expect(first.map(({ applicationId }) => applicationId).toSorted()).toEqual(
    [firstApplication.tenant.applicationId, secondApplication.tenant.applicationId].toSorted(),
  );
  expect(first.every(({ task }) => task.case === "writePrompt")).toBe(true);
  await firstApplication.execution.confirmWork(
    {
      claims: [
        first.find(({ applicationId }) => applicationId === secondApplication.tenant.applicationId)?.claim ?? "",
        "nonsense",
      ],
    },
    firstApplication.call(),
  );
  const seen: string[] = [];
  await expect
    .poll(
      async () => {
        for (let work = await claimed(); work.length > 0; work = await claimed())
          seen.push(...work.map(({ testId }) => testId));
        return many.tests.every(({ id }) => seen.includes(id));
      },
      { timeout: 10_000 },
    )
    .toBe(true);
  expect(seen).not.toContain(few.tests[0]?.id);
});

test("a written prompt is delivered, and a prompt that cannot be written fails the test", () =>
  inTenant(async (of) => {
    const { tests } = await of.trigger({ repeat: 2, simulate: true });
    const [firstId = "", secondId = ""] = tests.map(({ id }) => id);
    expect(tests[0]).toMatchObject({ status: ResultStatus.PENDING, waitingFor: "prompt" });
    expect(await of.execution.getPromptInput({ testId: firstId }, of.call())).toMatchObject({
      isWaiting: true,
      inputExamples: ["Hello"],
    });
    const written = (text: string) => ({
      case: "prompt" as const,
      value: { kind: { case: "stringValue" as const, value: text } },
    });
    await of.execution.setPrompt({ testId: firstId, result: { case: "waitingFor", value: "budget" } }, of.call());
    expect(await of.readTest(firstId)).toMatchObject({ status: ResultStatus.PENDING, waitingFor: "budget" });
    await of.execution.setPrompt({ testId: firstId, result: written("Hi") }, of.call());
    await of.execution.setPrompt({ testId: firstId, result: written("Hi again") }, of.call());
    expect(await of.events("prompt.requested", firstId)).toMatchObject([{ testId: firstId, prompt: "Hi" }]);
    expect(await of.execution.getPromptInput({ testId: firstId }, of.call())).toMatchObject({ isWaiting: false });
    await of.execution.setPrompt(
      { testId: secondId, result: { case: "failure", value: "no_model_connection: None" } },
      of.call(),
    );
    expect(await of.readTest(secondId)).toMatchObject({
      status: ResultStatus.FAILED,
      message: "no_model_connection: None",
    });
  }));
