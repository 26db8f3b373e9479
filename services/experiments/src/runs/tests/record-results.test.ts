import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, invalidRequestData } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { issuesOfError } from "@ems/kit/json/violations";
import { idempotencyKeyHeader } from "@ems/kit/rpc/idempotency-key";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { ResultStatus, RunType } from "@ems/proto/experiments/v1/run";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { RecordResultsRequestSchema, TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, describe, expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const tests = harness.client(TestService);
const runs = harness.client(RunService);
let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});

const at = (time: string) => timestampFromDate(new Date(time));
const definitionId = newId();
const oneTest = () => ({ taskId: newId() });

test("recorded results create a run, and each test is read back", async () => {
  const [taskId, topicId] = [newId(), newId()];
  harness.topicByTask.set(taskId, topicId);
  const answer = await tests.recordResults(
    {
      run: { type: RunType.SCHEDULED, title: "Nightly" },
      tests: [
        {
          taskId: taskId.toUpperCase(),
          score: 0.1234567,
          passed: false,
          durationMs: 840,
          createdAt: at("2025-12-31T23:59:59.999Z"),
          evaluations: [
            { definitionId, score: 0.25, passed: true },
            { definitionId, status: EvaluationStatus.SKIPPED, message: "Nothing was expected" },
          ],
        },
        oneTest(),
      ],
    },
    testCall(tenant),
  );
  expect(answer).toMatchObject({ count: 2n, evaluationCount: 2n });
  expect(answer.run).toMatchObject({
    orgId: tenant.orgId,
    applicationId: tenant.applicationId,
    type: RunType.SCHEDULED,
    status: ResultStatus.COMPLETED,
    title: "Nightly",
    createdAt: at("2025-12-31T23:59:59.999Z"),
    modifiedAt: timestampFromDate(harness.clock.now()),
  });
  const [first = "", second = ""] = answer.testIds;
  const { test: whole } = await tests.getTest({ id: first }, testCall(tenant));
  expect(whole).toMatchObject({
    id: first,
    taskId,
    topicId,
    runId: answer.run?.id,
    runType: RunType.SCHEDULED,
    status: ResultStatus.COMPLETED,
    score: 0.123457,
    passed: false,
    durationMs: 840,
    createdAt: at("2025-12-31T23:59:59.999Z"),
    modifiedAt: at("2025-12-31T23:59:59.999Z"),
  });
  const judged = whole?.evals.toSorted((a, b) => a.status - b.status);
  expect(judged).toMatchObject([
    { definitionId, status: EvaluationStatus.COMPLETED, score: 0.25, passed: true },
    { definitionId, status: EvaluationStatus.SKIPPED, message: "Nothing was expected" },
  ]);
  expect(judged?.[1]).not.toHaveProperty("score");
  const { test: bare } = await tests.getTest({ id: second }, testCall(tenant));
  expect(bare).toMatchObject({ evals: [], createdAt: timestampFromDate(harness.clock.now()) });
  for (const field of ["topicId", "score", "passed", "durationMs", "traceId", "result"])
    expect(bare).not.toHaveProperty(field);
  const { run } = await runs.getRun({ id: answer.run?.id ?? "" }, testCall(tenant));
  expect(run).toMatchObject({ ...answer.run, $typeName: run?.$typeName, progress: { completed: 2n, total: 2n } });
});

test("tests are added to the run of runId, which updates its status", async () => {
  const record = async (runId: string | undefined, ...statuses: ResultStatus[]) => {
    const newTests = statuses.map((status) => ({ ...oneTest(), status }));
    const run = (await tests.recordResults({ ...(runId && { runId }), tests: newTests }, testCall(tenant))).run;
    return { id: run?.id ?? "", status: run?.status, type: run?.type };
  };
  const { id, ...first } = await record(undefined, ResultStatus.FAILED);
  expect(first).toEqual({ status: ResultStatus.FAILED, type: RunType.MANUAL });
  expect((await record(id, ResultStatus.FAILED)).status).toBe(ResultStatus.FAILED);
  expect((await record(id, ResultStatus.COMPLETED)).status).toBe(ResultStatus.COMPLETED);
  expect((await record(id, ResultStatus.FAILED, ResultStatus.PENDING)).status).toBe(ResultStatus.IN_PROGRESS);
  expect((await record(id, ResultStatus.COMPLETED)).status).toBe(ResultStatus.IN_PROGRESS);
  expect((await tests.listTests({ runId: [id] }, testCall(tenant))).pagination?.total).toBe(6n);
  expect((await runs.listRuns({}, testCall(tenant))).pagination?.total).toBe(1n);
});

describe("nothing is recorded", () => {
  const nothing = async () => {
    expect((await tests.listTests({}, testCall(tenant))).pagination?.total).toBe(0n);
    expect((await runs.listRuns({}, testCall(tenant))).pagination?.total).toBe(0n);
  };

  test("for unknown ids", async () => {
    const gone = newId();
    harness.missing.add(gone);
    const foreign = (await tests.recordResults({ tests: [oneTest()] }, testCall(testTenant()))).run?.id ?? "";
    const refusals: [MessageInitShape<typeof RecordResultsRequestSchema>, string][] = [
      [{ tests: [oneTest(), { taskId: gone }] }, "Task not found"],
      [{ tests: [{ ...oneTest(), evaluations: [{ definitionId: gone }] }] }, "Evaluation definition not found"],
      [{ runId: newId(), tests: [oneTest()] }, "Run not found"],
      [{ runId: foreign, tests: [oneTest()] }, "Run not found"],
    ];
    for (const [request, message] of refusals) {
      const refused = tests.recordResults(request, testCall(tenant));
      await expect(refused).rejects.toMatchObject({ code: Code.NotFound, rawMessage: message });
      await nothing();
    }
  });

  test("when a time is in the future or more than two years ago", async () => {
    const now = harness.clock.now();
    const good = [now, new Date("2024-01-15T12:00:00Z")];
    const bad = [new Date(now.getTime() + 1), new Date("2024-01-15T11:59:59.999Z")];
    const request = (times: Date[]) => ({
      tests: times.map((time) => ({ ...oneTest(), createdAt: timestampFromDate(time) })),
    });
    await expect(tests.recordResults(request([...good, ...bad]), testCall(tenant))).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: invalidRequestData,
    });
    await nothing();
    await expect(tests.recordResults(request(good), testCall(tenant))).resolves.toMatchObject({ count: 2n });
  });
});

describe("scores have scales", () => {
  const styleId = newId();
  harness.definitions.set(styleId, { type: EvalDefinitionType.STYLE });
  const record = (...evaluations: { definitionId: string; score: number }[]) =>
    tests.recordResults({ tests: [oneTest(), { ...oneTest(), evaluations }] }, testCall(tenant));

  test.each([
    ["FACT", definitionId, [0, 0.5, 1], [-0.000001, 1.000001, 4]],
    ["STYLE", styleId, [1, 3.5, 5], [0.8, 0.999999, 5.000001]],
  ])("a score outside the scale of %s is refused, and nothing is recorded", async (type, id, good, bad) => {
    for (const score of bad) {
      const refused = await record({ definitionId: id, score: 1 }, { definitionId: id, score }).catch((error) => error);
      expect(refused).toMatchObject({ code: Code.InvalidArgument, rawMessage: invalidRequestData });
      expect(issuesOfError(refused, RecordResultsRequestSchema)).toMatchObject([
        {
          path: ["tests", "1", "evaluations", "1", "score"],
          message: `Must be from ${type === "STYLE" ? "1 to 5" : "0 to 1"}, the scale of ${type}`,
        },
      ]);
    }
    expect((await tests.listTests({}, testCall(tenant))).pagination?.total).toBe(0n);
    for (const score of good) await record({ definitionId: id, score });
    expect((await tests.listTests({}, testCall(tenant))).pagination?.total).toBe(BigInt(2 * good.length));
  });

  test("a stored score outside its scale is marked, and no mean includes it", async () => {
    const { run, testIds } = await record({ definitionId, score: 0.5 }, { definitionId: styleId, score: 3 });
    const id = testIds[1] ?? "";
    await harness.database.sql(
      "UPDATE experiments.evaluation SET score_micro = 800000 WHERE test_id = $1 AND definition_id = $2",
      [id, styleId],
    );
    const { test: stored } = await tests.getTest({ id }, testCall(tenant));
    expect(stored?.evals.map(({ score, scoreOutOfScale }) => [score, scoreOutOfScale])).toEqual([
      [0.5, undefined],
      [0.8, true],
    ]);
    const outOfScale = await tests.recordResults(
      { runId: run?.id ?? "", tests: [{ ...oneTest(), score: 4, passed: true }] },
      testCall(tenant),
    );
    const { test: recorded } = await tests.getTest({ id: outOfScale.testIds[0] ?? "" }, testCall(tenant));
    expect(recorded).toMatchObject({ score: 4, scoreOutOfScale: true });
    const { run: whole } = await runs.getRun({ id: run?.id ?? "" }, testCall(tenant));
    expect(whole?.result?.averageScore ?? 0).toBeLessThanOrEqual(1);
  });
});

test("a call with an idempotency key records once", async () => {
  const request = { tests: [{ ...oneTest(), evaluations: [{ definitionId }] }] };
  const { headers, ...options } = testCall(tenant);
  const call = { ...options, headers: { ...headers, [idempotencyKeyHeader]: newId() } };
  const first = await tests.recordResults(request, call);
  expect(await tests.recordResults(request, call)).toEqual(first);
  expect((await tests.listTests({}, testCall(tenant))).pagination?.total).toBe(1n);
});

test("a request calls catalog once, with distinct ids", async () => {
  const [taskId, before] = [newId(), harness.referenceChecks.length];
  const recorded = { taskId, evaluations: [{ definitionId }, { definitionId }] };
  await tests.recordResults({ tests: [recorded, recorded] }, testCall(tenant));
  expect(harness.referenceChecks.slice(before)).toEqual([{ topicIds: [], taskIds: [taskId] }]);
});
