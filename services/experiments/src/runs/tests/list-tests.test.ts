import type { MessageInitShape } from "@bufbuild/protobuf";
import { newId } from "@ems/kit/id";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import { RunType } from "@ems/proto/experiments/v1/run";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import {
  type ListTestsRequestSchema,
  PassRateStatus,
  type RecordResultsRequestSchema,
  TestService,
} from "@ems/proto/experiments/v1/test_service";
import { VariantService } from "@ems/proto/experiments/v1/variant_service";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const [tests, runs, evaluations] = [
  harness.client(TestService),
  harness.client(RunService),
  harness.client(EvaluationService),
];
let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const call = () => testCall(tenant);
const record = async (request: MessageInitShape<typeof RecordResultsRequestSchema>) => {
  const { run, testIds } = await tests.recordResults(request, call());
  return { runId: run?.id ?? "", testIds };
};
const listIds = async (request: MessageInitShape<typeof ListTestsRequestSchema>) => {
  const { data, pagination } = await tests.listTests(request, call());
  expect(pagination?.total).toBe(BigInt(data.length));
  return data.map(({ id }) => id).sort();
};
const evaluation = (passed: boolean) => ({ definitionId: newId(), passed, score: passed ? 1 : 0 });

test("a listed test equals the test read by id, with evaluations, result and task", async () => {
  const [taskId, topicId, definitionId] = [newId(), newId(), newId()];
  harness.topicByTask.set(taskId, topicId);
  const results = { name: "facts", score: 0.5, classification: { TP: ["a"], FP: [], FN: ["b"] } };
  const recorded = [
    { definitionId, passed: false, score: 0.5, results },
    { definitionId: newId(), status: EvaluationStatus.SKIPPED, message: "no_expected" },
  ];
  const { testIds } = await record({ tests: [{ taskId, evaluations: recorded }] });
  const { data } = await tests.listTests({}, call());
  expect(data).toMatchObject([
    {
      id: testIds[0],
      result: { total: 1n, passed: 0n, failed: 1n, passRate: 0, averageScore: 0.5 },
      task: { id: taskId, title: `Task ${taskId}`, topicId },
    },
  ]);
  const evals = data[0]?.evals.toSorted((a, b) => a.status - b.status);
  expect(evals).toMatchObject([
    { definitionId, definition: { id: definitionId, name: `Definition ${definitionId}` }, results, testId: testIds[0] },
    { status: EvaluationStatus.SKIPPED, message: "no_expected" },
  ]);
  expect((await tests.getTest({ id: testIds[0] ?? "" }, call())).test).toEqual(data[0]);
});

test("a task or definition missing in catalog is returned with its recorded ids", async () => {
  const [taskId, definitionId] = [newId(), newId()];
  await record({ tests: [{ taskId, evaluations: [{ definitionId }] }] });
  for (const id of [taskId, definitionId]) harness.missing.add(id);
  const { data } = await tests.listTests({}, call());
  expect(data).toMatchObject([{ task: { id: taskId, title: "" }, evals: [{ definition: { id: definitionId } }] }]);
});

test("tests are filtered by the share of their passed evaluations", async () => {
  const passing = (passed: number, failed: number) => ({
    taskId: newId(),
    evaluations: [
      ...Array.from({ length: passed }, () => evaluation(true)),
      ...Array.from({ length: failed }, () => evaluation(false)),
    ],
  });
  const { testIds } = await record({
    tests: [passing(4, 1), passing(3, 1), passing(2, 1), passing(1, 1), passing(0, 1), passing(0, 0)],
  });
  const at = (...indexes: number[]) => indexes.map((index) => testIds[index]).sort();
  expect(await listIds({ passRateStatuses: [PassRateStatus.SUCCESS] })).toEqual(at(0));
  expect(await listIds({ passRateStatuses: [PassRateStatus.WARNING] })).toEqual(at(1, 2));
  expect(await listIds({ passRateStatuses: [PassRateStatus.ERROR] })).toEqual(at(3, 4));
  expect(await listIds({ passRateStatuses: [PassRateStatus.SUCCESS, PassRateStatus.ERROR] })).toEqual(at(0, 3, 4));
});

test("tests are filtered by the variant of their run and by the tags of their task", async () => {
  const [tagId, tagged] = [newId(), newId()];
  const { data: experiment } = await harness
    .client(ExperimentService)
    .createExperiment({ title: "Models", taskIds: [tagged] }, call());
  const baseline = { id: experiment?.id ?? "", title: "Baseline", configPatch: {} };
  const { data: variant } = await harness.client(VariantService).createVariant(baseline, call());
  const variantId = variant?.id ?? "";
  const ofVariant = await record({
    run: { type: RunType.EXPERIMENT, experimentVariantId: variantId },
    tests: [{ taskId: tagged }],
  });
  const other = await record({ tests: [{ taskId: newId() }] });
  await harness.database.sql(
    `INSERT INTO catalog.task (application_id, id, org_id, title, description, type, status, created_at, modified_at)
     VALUES ($1, $2, 'o', 'Task', '', 'NORMAL', 'ACTIVE', now(), now())`,
    [tenant.applicationId, tagged],
  );
  await harness.database.sql(
    `INSERT INTO catalog.tag (application_id, id, org_id, name, color, status, created_at, modified_at)
     VALUES ($1, $2, 'o', 'Tag', '#000000', 'ACTIVE', now(), now())`,
    [tenant.applicationId, tagId],
  );
  await harness.database.sql("INSERT INTO catalog.task_tag (application_id, task_id, tag_id) VALUES ($1, $2, $3)", [
    tenant.applicationId,
    tagged,
    tagId,
  ]);
  expect(await listIds({ experimentVariantId: [variantId] })).toEqual(ofVariant.testIds);
  expect(await listIds({ experimentVariantId: [newId()] })).toEqual([]);
  expect(await listIds({ tagId: [tagId] })).toEqual(ofVariant.testIds);
  expect(await listIds({ tagId: ["__none__"] })).toEqual(other.testIds);
  expect(await listIds({ tagId: ["__none__", tagId] })).toEqual([...other.testIds, ...ofVariant.testIds].sort());
  const listed = await runs.listRuns({ experimentVariantId: [variantId] }, call());
  expect(listed.data).toMatchObject([{ id: ofVariant.runId, experimentVariantId: variantId }]);
  tenant = testTenant();
  expect(await listIds({ tagId: [tagId] })).toEqual([]);
});

test("a run reports the progress and the result of its tests, including tests added later", async () => {
  const [definitionId, taskId] = [newId(), newId()];
  const { runId } = await record({
    tests: [
      { taskId, passed: true, evaluations: [{ definitionId, passed: true, score: 1 }] },
      { taskId, status: 1 },
    ],
  });
  await record({
    runId,
    tests: [
      { taskId, passed: false, evaluations: [{ definitionId, passed: false, score: 0.5 }] },
      { taskId, status: 4 },
    ],
  });
  const { run } = await runs.getRun({ id: runId }, call());
  expect(run).toMatchObject({
    progress: { completed: 3n, total: 4n },
    result: {
      total: 2n,
      passed: 1n,
      failed: 1n,
      passRate: 0.5,
      averageScore: 0.75,
      evals: [
        {
          id: definitionId,
          name: `Definition ${definitionId}`,
          total: 2n,
          passed: 1n,
          failed: 1n,
          passRate: 0.5,
          averageScore: 0.75,
        },
      ],
    },
    summary: { passed: 1n, failed: 1n, errored: 1n, none: 0n, passRate: 0.5, averageScore: 0.75 },
  });
  expect((await runs.listRuns({}, call())).data).toEqual([run]);
});

test("evaluations are listed by test, definition, status and time, and each is read by id", async () => {
  const [first, second] = [newId(), newId()];
  const { testIds } = await record({
    tests: [
      {
        taskId: newId(),
        evaluations: [
          { definitionId: first, passed: true },
          { definitionId: second, status: 5 },
        ],
      },
      { taskId: newId(), evaluations: [{ definitionId: first, passed: false }] },
    ],
  });
  const listed = async (request: Parameters<typeof evaluations.listEvaluations>[0]) => {
    const { data, pagination } = await evaluations.listEvaluations(request, call());
    expect(pagination?.total).toBe(BigInt(data.length));
    return data;
  };
  const all = await listed({});
  expect(all).toHaveLength(3);
  for (const listed of all) expect((await evaluations.getEvaluation({ id: listed.id }, call())).data).toEqual(listed);
  expect(await listed({ testId: testIds.slice(0, 1) })).toHaveLength(2);
  expect(await listed({ definitionId: [first] })).toHaveLength(2);
  expect(await listed({ definitionId: [first, second], status: [EvaluationStatus.SKIPPED] })).toHaveLength(1);
  expect(await listed({ traceId: [newId()] })).toEqual([]);
  const { createdAt } = all[0] ?? {};
  if (createdAt === undefined) throw new Error("no time");
  expect(await listed({ startDate: createdAt, endDate: createdAt })).toHaveLength(3);
  tenant = testTenant();
  expect(await listed({})).toEqual([]);
});

test("results of an evaluation have at most 32 KiB, and pages larger than the response limit are refused", async () => {
  const results = (length: number) => ({ text: "x".repeat(length - 11) });
  const newTest = (length: number) => ({
    taskId: newId(),
    evaluations: [{ definitionId: newId(), results: results(length) }],
  });
  await expect(record({ tests: [newTest(32_769)] })).rejects.toMatchObject({ code: 3 });
  const { runId } = await record({ tests: Array.from({ length: 100 }, () => newTest(32_768)) });
  await expect(tests.listTests({ limit: 100 }, call())).rejects.toMatchObject({ code: 8 });
  await expect(tests.listResults({ id: runId }, call())).rejects.toMatchObject({ code: 8 });
  expect((await tests.listTests({ limit: 50 }, call())).data).toHaveLength(50);
});
