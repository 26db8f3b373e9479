import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { CalibrationService } from "@ems/proto/experiments/v1/calibration_service";
import {
  HumanAnnotationQueueService,
  QueueItemCompletion,
} from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { HumanAnnotationService, HumanAnnotationSource } from "@ems/proto/experiments/v1/human_annotation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, expect, test } from "vitest";
import { experimentsHarness, user } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { clock } = harness;
const calibrations = harness.client(CalibrationService);
const queues = harness.client(HumanAnnotationQueueService);
const newTenant = () => ({ ...testTenant(), userId: user.id });
let tenant = newTenant();
beforeEach(() => {
  tenant = newTenant();
});

const readCalibration = async (id: string, fields: Partial<Parameters<typeof calibrations.getCalibration>[0]> = {}) =>
  (await calibrations.getCalibration({ id, ...fields }, testCall(tenant))).data ?? expect.fail("no calibration");

/** Records tests with one trace each and the judge's decisions; returns the traces. */
async function judged(definitionId: string, passes: readonly boolean[], taskId = newId()): Promise<string[]> {
  const tests = passes.map((passed) => ({ taskId, evaluations: [{ definitionId, passed, score: Number(passed) }] }));
  const { testIds } = await harness.client(TestService).recordResults({ tests }, testCall(tenant));
  const events = testIds.map((testId) => ({ type: "trace", testId }));
  const { data } = await harness.client(IngestService).ingestEvents({ events }, testCall(tenant));
  return data.map(({ id = "" }) => id);
}
async function annotate(definitionId: string, traceId: string, passes: boolean, userId = user.id) {
  const request = {
    traceId,
    definitionId,
    verdict: passes,
    source: HumanAnnotationSource.TRACE_PAGE,
    critique: "It is as it is here.",
  };
  await harness.client(HumanAnnotationService).createHumanAnnotation(request, testCall({ ...tenant, userId }));
}
const times = <T>(count: number, value: T) => Array<T>(count).fill(value);

/** Records annotated traces for each cell of the confusion matrix. */
async function confusion(
  definitionId: string,
  bothPass: number,
  onlyJudge: number,
  onlyPeople: number,
  bothFail: number,
) {
  const cells = [
    ...times(bothPass, { judge: true, people: true }),
    ...times(onlyJudge, { judge: true, people: false }),
    ...times(onlyPeople, { judge: false, people: true }),
    ...times(bothFail, { judge: false, people: false }),
  ];
  const traces = await judged(
    definitionId,
    cells.map(({ judge }) => judge),
  );
  for (const [at, { people }] of cells.entries()) await annotate(definitionId, traces[at] ?? "", people);
  return traces;
}

test("with 200 annotated traces, the corrected interval covers the true rate that the judge misses", async () => {
  const definitionId = newId();
  // A judge with sensitivity 0.9 and specificity 0.8, on 120 traces that people pass and 80 that they fail.
  await confusion(definitionId, 108, 16, 12, 64);
  // Traffic with a true pass rate of 0.4: the judge passes 0.4 × 0.9 + 0.6 × 0.2 = 0.48 of it.
  for (let batch = 0; batch < 2; batch++) await judged(definitionId, [...times(384, true), ...times(416, false)]);
  const { definition, judge, versions } = await readCalibration(definitionId);
  expect(definition).toMatchObject({ id: definitionId, name: `Definition ${definitionId}` });
  expect(judge).toMatchObject({
    confusion: { bothPass: 108, onlyJudgePasses: 16, onlyPeoplePass: 12, bothFail: 64 },
    undecided: 0,
    sensitivity: { value: 0.9 },
    specificity: { value: 0.8 },
    evaluations: 1_800n,
    reliable: true,
  });
  expect(versions).toEqual([judge]);
  const truth = (0.4 * 1_600 + 120) / 1_800;
  const { value = 0, low = 1, high = 0 } = judge?.correctedPassRate ?? {};
  expect(value).toBeCloseTo(truth, 10);
  expect([low < truth, truth < high, high - low < 0.2]).toEqual([true, true, true]);
  const { high: judgedHigh = 1, low: judgedLow = 0 } = judge?.judgedPassRate ?? {};
  expect(judgedLow > truth || judgedHigh < truth).toBe(true);
  expect(judge?.kappa?.value).toBeCloseTo(0.7058823529, 9);
  expect((await readCalibration(definitionId, { kappaFloor: 0.8 })).judge).toMatchObject({
    reliable: false,
    summary: expect.stringContaining("Do not rely on this judge"),
  });
});

test("with fewer than 20 passed or failed annotations, the summary says what is missing", async () => {
  const definitionId = newId();
  await confusion(definitionId, 20, 9, 1, 10);
  const { judge } = await readCalibration(definitionId);
  expect(judge).toMatchObject({
    confusion: { bothPass: 20, onlyJudgePasses: 9, onlyPeoplePass: 1, bothFail: 10 },
    summary: expect.stringContaining(
      "people passed 21 and failed 19; 20 of each are needed. Missing: 1 that people fail.",
    ),
  });
  const { sensitivity, specificity, kappa, correctedPassRate, reliable } = judge ?? {};
  expect([sensitivity, specificity, kappa, correctedPassRate, reliable]).toEqual(times(5, undefined));
  const [trace = ""] = await judged(definitionId, [false]);
  await annotate(definitionId, trace, false);
  expect((await readCalibration(definitionId)).judge?.specificity).toBeDefined();
});

test("a definition without evaluations, and one that is unknown", async () => {
  const definitionId = newId();
  const { judge, next } = await readCalibration(definitionId);
  expect(judge).toMatchObject({
    evaluations: 0n,
    summary: expect.stringContaining("Missing: 20 that people pass and 20"),
  });
  expect([judge?.judgedPassRate, judge?.firstAt, next]).toEqual([undefined, undefined, []]);
  harness.missing.add(definitionId);
  const unknown = { code: Code.NotFound, rawMessage: "Evaluation definition not found" };
  await expect(readCalibration(definitionId)).rejects.toMatchObject(unknown);
  const request = { id: definitionId, queueId: newId() };
  await expect(calibrations.queueCalibrationTraces(request, testCall(tenant))).rejects.toMatchObject(unknown);
});

test("several annotations of a trace count as one by majority; a tie does not count", async () => {
  const definitionId = newId();
  const [most = "", tie = "", unjudged = ""] = await judged(definitionId, [true, true, true]);
  for (const [person, passes] of [
    ["ada", false],
    ["grace", false],
    ["joan", true],
  ] as const) {
    await annotate(definitionId, most, passes, person);
  }
  await annotate(definitionId, tie, true, "ada");
  await annotate(definitionId, tie, false, "grace");
  const { judge, next } = await readCalibration(definitionId);
  expect(judge).toMatchObject({ confusion: { bothPass: 0, onlyJudgePasses: 1 }, undecided: 1 });
  expect(next.map(({ traceId }) => traceId)).toEqual([unjudged]);
});

test("each version of a judge is measured separately, the latest first", async () => {
  const definitionId = newId();
  const traces = await confusion(definitionId, 20, 5, 2, 20);
  const ofDefinition = `WHERE definition_id = '${definitionId}'`;
  await harness.database.sql(`UPDATE experiments.evaluation SET judge_version = '1', model = 'small' ${ofDefinition}`);
  clock.advance(86_400_000);
  const newer = await judged(definitionId, [true, false]);
  await harness.database.sql(
    `UPDATE experiments.evaluation SET judge_version = '2' ${ofDefinition} AND judge_version IS NULL`,
  );
  const { judge, versions, next } = await readCalibration(definitionId);
  expect(judge).toMatchObject({ judgeVersion: "2", evaluations: 2n, confusion: { bothPass: 0, bothFail: 0 } });
  expect(judge?.summary).toMatch(/^Not enough annotations/);
  expect(versions.map(({ judgeVersion, model, evaluations }) => [judgeVersion, model, evaluations])).toEqual([
    ["2", undefined, 2n],
    ["1", "small", BigInt(traces.length)],
  ]);
  expect(versions[1]).toMatchObject({ sensitivity: { value: 20 / 22 }, specificity: { value: 0.8 } });
  expect(next.map(({ traceId }) => traceId).sort()).toEqual(newer.sort());

  const from = versions[0]?.firstAt;
  if (from === undefined) throw new Error("no time");
  const [latest, before] = (await readCalibration(definitionId, { startDate: from })).versions;
  expect([latest?.evaluations, before?.evaluations, before?.sensitivity?.value]).toEqual([2n, 0n, 20 / 22]);
  expect(timestampDate(from).getTime()).toBe(clock.now().getTime());
});

test("a queue is filled with the traces to annotate next, each once", async () => {
  const definitionId = newId();
  const traces = await judged(definitionId, times(5, true));
  const { data: queue } = await queues.createHumanAnnotationQueue({ topicId: newId() }, testCall(tenant));
  const queueId = queue?.id ?? "";
  const fill = (limit?: number) =>
    calibrations.queueCalibrationTraces(
      { id: definitionId, queueId, ...(limit !== undefined && { limit }) },
      testCall(tenant),
    );
  const { next } = await readCalibration(definitionId, { nextLimit: 2 });
  expect(await fill(2)).toMatchObject({ count: 2 });
  const items = async () =>
    (
      await queues.listHumanAnnotationQueueItems(
        { queueId: [queueId], completion: QueueItemCompletion.PENDING },
        testCall(tenant),
      )
    ).data.map(({ traceId }) => traceId);
  expect((await items()).sort()).toEqual(next.map(({ traceId }) => traceId).sort());
  expect((await readCalibration(definitionId)).next).toHaveLength(3);
  expect(await fill()).toMatchObject({ count: 3 });
  expect(await fill()).toMatchObject({ count: 0 });
  expect((await items()).sort()).toEqual(traces.sort());
  const gone = { code: Code.NotFound, rawMessage: "Human annotation queue not found" };
  await expect(
    calibrations.queueCalibrationTraces({ id: definitionId, queueId: newId() }, testCall(tenant)),
  ).rejects.toMatchObject(gone);
});

test("a topic's calibration reads only its evaluations and never another tenant's", async () => {
  const [definitionId, taskId, topicId] = [newId(), newId(), newId()];
  harness.topicByTask.set(taskId, topicId);
  const [ours = ""] = await judged(definitionId, [true], taskId);
  const [other = ""] = await judged(definitionId, [true]);
  for (const trace of [ours, other]) await annotate(definitionId, trace, true);
  expect((await readCalibration(definitionId)).judge).toMatchObject({ evaluations: 2n, confusion: { bothPass: 2 } });
  const ofTopic = await readCalibration(definitionId, { topicId });
  expect(ofTopic.judge).toMatchObject({ evaluations: 1n, confusion: { bothPass: 1 } });
  tenant = newTenant();
  expect((await readCalibration(definitionId)).judge).toMatchObject({ evaluations: 0n, confusion: { bothPass: 0 } });
});

test("an annotation made before the trace named its test counts, and the trace is not suggested again", async () => {
  const [definitionId, taskId] = [newId(), newId()];
  const ingest = async (testId?: string, traceId = newId()) => {
    const event = { type: "trace", traceId, ...(testId !== undefined && { testId }) };
    await harness.client(IngestService).ingestEvents({ events: [event] }, testCall(tenant));
    return traceId;
  };
  const early = await ingest();
  await annotate(definitionId, early, true);
  const tests = times(2, { taskId, evaluations: [{ definitionId, passed: true, score: 1 }] });
  const { testIds } = await harness.client(TestService).recordResults({ tests }, testCall(tenant));
  expect((await readCalibration(definitionId)).judge).toMatchObject({ confusion: { bothPass: 0 } });
  await ingest(testIds[0], early);
  const other = await ingest(testIds[1]);
  const { judge, next } = await readCalibration(definitionId);
  expect(judge).toMatchObject({ confusion: { bothPass: 1 } });
  expect(next.map(({ traceId }) => traceId)).toEqual([other]);
});
