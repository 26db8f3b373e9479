import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { issuesOfError } from "@ems/kit/json/violations";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { CalibrationService } from "@ems/proto/experiments/v1/calibration_service";
import { HumanAnnotationQueueService } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { HumanAnnotationService, HumanAnnotationSource } from "@ems/proto/experiments/v1/human_annotation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { IssueService } from "@ems/proto/experiments/v1/issue_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { describe, expect, test } from "vitest";
import { experimentsHarness, user } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const tenant = { ...testTenant(), userId: user.id };
const annotations = harness.client(HumanAnnotationService);
const queues = harness.client(HumanAnnotationQueueService);
const calibrations = harness.client(CalibrationService);

const critique = "It names a fee that was abolished last year.";
const [polite, correct, styled] = [newId(), newId(), newId()];
harness.definitions.set(polite, {
  name: "Polite",
  type: EvalDefinitionType.CUSTOM,
  globalConfig: { criterion: "Thanks the customer" },
});
harness.definitions.set(correct, { name: "Correct" });
harness.definitions.set(styled, { name: "House style", type: EvalDefinitionType.STYLE });

type Request = Parameters<typeof annotations.createHumanAnnotation>[0];
const create = (request: Request, userId = user.id) =>
  annotations.createHumanAnnotation(
    { source: HumanAnnotationSource.TRACE_PAGE, verdict: true, ...request },
    testCall({ ...tenant, userId }),
  );
const judge = async (request: Request, userId = user.id) =>
  (await create(request, userId)).data ?? expect.fail("no annotation");
async function newTraces(count: number, testIds: readonly string[] = []) {
  const events = Array.from({ length: count }, (_, at) => {
    const testId = testIds[at];
    return { type: "trace", ...(testId !== undefined && { testId }) };
  });
  const { data } = await harness.client(IngestService).ingestEvents({ events }, testCall(tenant));
  return data.map(({ id = "" }) => id);
}
const listed = async (request: Parameters<typeof annotations.listHumanAnnotations>[0]) =>
  (await annotations.listHumanAnnotations(request, testCall(tenant))).data;
const issuesOfTrace = async (traceId: string) =>
  (await harness.client(IssueService).listIssues({ limit: 100 }, testCall(tenant))).data.filter(
    (issue) => issue.traceId === traceId,
  );
const pathsOfError = (error: unknown) =>
  issuesOfError(error as Parameters<typeof issuesOfError>[0]).map(({ path }) => path.join("."));

test("a person has one annotation per trace and definition, and one of the whole answer", async () => {
  const [traceId = ""] = await newTraces(1);
  const whole = await judge({ traceId });
  const ofPolite = await judge({ traceId, definitionId: polite.toUpperCase() });
  const repeated = await judge({ traceId, definitionId: polite, critique: "Good" });
  expect([whole.definitionId, ofPolite.definitionId, repeated.id]).toEqual([undefined, polite, ofPolite.id]);
  expect((await judge({ traceId })).id).toBe(whole.id);
  expect(await listed({ traceId: [traceId] })).toHaveLength(2);
  expect((await listed({ definitionId: [polite], traceId: [traceId] })).map(({ id }) => id)).toEqual([ofPolite.id]);
  const unknown = newId();
  harness.missing.add(unknown);
  await expect(create({ traceId, definitionId: unknown })).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: "Evaluation definition not found",
  });
});

describe("a pass over several criteria", () => {
  test("shares the critique, opens one issue that lists the failed criteria, and completes the item at its end", async () => {
    const [traceId = ""] = await newTraces(1);
    const { data: queue } = await queues.createHumanAnnotationQueue({ topicId: newId() }, testCall(tenant));
    await queues.addHumanAnnotationQueueItems({ id: queue?.id ?? "", traceIds: [traceId] }, testCall(tenant));
    const readItem = async () =>
      (await queues.listHumanAnnotationQueueItems({ queueId: [queue?.id ?? ""] }, testCall(tenant))).data[0];
    const queueItemId = (await readItem())?.id ?? "";
    const pass = { traceId, passId: newId(), queueItemId, source: HumanAnnotationSource.REVIEW_QUEUE };
    await judge({ ...pass, definitionId: correct, verdict: false, critique });
    await judge({ ...pass, definitionId: styled });
    expect((await readItem())?.completedAt).toBeUndefined();
    await judge({ ...pass, definitionId: polite, verdict: false, passComplete: true });
    expect((await readItem())?.completedAt).toBeDefined();
    const stored = await listed({ passId: [pass.passId] });
    expect(stored.map((each) => each.critique)).toEqual([critique, critique, critique]);
    const issues = await issuesOfTrace(traceId);
    expect(issues).toMatchObject([{ occurrences: 1, description: `${critique}\n\nFailed criteria: Correct, Polite` }]);
    expect(new Set(stored.filter(({ verdict }) => !verdict).map(({ issueId }) => issueId))).toEqual(
      new Set([issues[0]?.id]),
    );

    await judge({ ...pass, definitionId: correct, passComplete: true });
    expect((await issuesOfTrace(traceId))[0]?.description).toBe(`${critique}\n\nFailed criteria: Polite`);
  });

  test("in any order and at once leaves one issue with all failed criteria", async () => {
    const [traceId = ""] = await newTraces(1);
    const pass = { traceId, passId: newId(), verdict: false };
    const made = await Promise.all([
      judge({ ...pass, definitionId: correct, critique }),
      judge({ ...pass, definitionId: polite }),
      judge({ ...pass, definitionId: styled }),
      judge({ ...pass }),
    ]);
    await judge({ ...pass, passComplete: true });
    const issues = await issuesOfTrace(traceId);
    expect(issues).toHaveLength(1);
    const [, names = ""] = /Failed criteria: (.*)$/.exec(issues[0]?.description ?? "") ?? [];
    expect(names.split(", ").toSorted()).toEqual(["Correct", "House style", "Polite", "whole answer"]);
    expect(new Set(made.map(({ issueId }) => issueId)).size).toBe(1);
    expect((await listed({ passId: [pass.passId] })).map((each) => each.critique)).toEqual(Array(4).fill(critique));
  });

  test("requires the critique once, at the latest at its end", async () => {
    const [traceId = ""] = await newTraces(1);
    const pass = { traceId, passId: newId() };
    await judge({ ...pass, definitionId: correct, verdict: false });
    for (const last of [{}, { critique: "Too short" }]) {
      const refused = await create({ ...pass, definitionId: polite, ...last, passComplete: true }).catch(pathsOfError);
      expect(refused).toEqual(["critique"]);
    }
    await judge({ ...pass, definitionId: polite, critique, passComplete: true });
    await expect(create({ traceId, verdict: false })).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(create({ traceId, passComplete: false })).rejects.toMatchObject({ code: Code.InvalidArgument });
  });
});

test.each([
  ["House style", styled, { score: 4, verdict: true }, undefined],
  ["House style", styled, { score: 3.5, verdict: true }, undefined],
  ["House style", styled, { score: 3.4, verdict: false, critique }, undefined],
  ["House style", styled, { score: 3.4, verdict: true }, "score"],
  ["House style", styled, { score: 4, verdict: false, critique }, "score"],
  ["House style", styled, { score: 0.8, verdict: false, critique }, "score"],
  ["Correct", correct, { score: 0.8, verdict: true }, undefined],
  ["Correct", correct, { score: 0.79, verdict: true }, "score"],
  ["Polite", polite, { score: 1, verdict: true }, "score"],
] as const)("a score of %s: %#", async (_, definitionId, fields, path) => {
  const [traceId = ""] = await newTraces(1);
  const made = await create({ traceId, definitionId, ...fields }).catch(pathsOfError);
  if (path === undefined) expect(made).toMatchObject({ data: { score: fields.score } });
  else {
    expect(made).toEqual([path]);
    expect(await listed({ traceId: [traceId] })).toEqual([]);
  }
});

test("an update keeps verdict and score in agreement", async () => {
  const [traceId = ""] = await newTraces(1);
  const { id } = await judge({ traceId, definitionId: styled, score: 4 });
  const number = (value: number) => ({ kind: { case: "numberValue" as const, value } });
  const update = (fields: object) => annotations.updateHumanAnnotation({ id, ...fields }, testCall(tenant));
  expect(await update({ score: number(2) }).catch(pathsOfError)).toEqual(["score"]);
  const text = { kind: { case: "stringValue" as const, value: critique } };
  const { data } = await update({ score: number(2), verdict: false, critique: text });
  expect(data).toMatchObject({ score: 2, verdict: false });
  const cleared = await update({ score: { kind: { case: "nullValue" as const, value: 0 } }, verdict: true });
  expect(cleared.data?.score).toBeUndefined();
});

test("a queue of a definition shows its criterion, scale and examples", async () => {
  const [good = "", bad = ""] = await newTraces(2);
  const example = newId();
  harness.definitions.set(example, { name: "Tone", type: EvalDefinitionType.STYLE });
  await judge({ traceId: good, definitionId: example, score: 5, critique: "It is short and kind." });
  await judge({ traceId: bad, definitionId: example, verdict: false, critique });
  const topicId = newId();
  const { data } = await queues.createHumanAnnotationQueue({ topicId, definitionId: example }, testCall(tenant));
  const id = data?.id ?? "";
  const { data: queue } = await queues.getHumanAnnotationQueue({ id }, testCall(tenant));
  expect(queue).toMatchObject({
    definitionId: example,
    criterion: {
      definitionId: example,
      name: "Tone",
      type: EvalDefinitionType.STYLE,
      criterion: "The answer follows the style guide.",
      scale: { low: 1, high: 5, threshold: 3.5 },
      examples: [
        { traceId: good, verdict: true, score: 5, critique: "It is short and kind." },
        { traceId: bad, verdict: false, critique },
      ],
    },
  });
  const ofPolite = await queues.createHumanAnnotationQueue({ topicId, definitionId: polite }, testCall(tenant));
  expect(ofPolite.data?.criterion).toMatchObject({ criterion: "Thanks the customer" });
  expect(ofPolite.data?.criterion?.scale).toBeUndefined();
  const twice = queues.createHumanAnnotationQueue({ topicId, definitionId: polite }, testCall(tenant));
  await expect(twice).rejects.toMatchObject({ code: Code.AlreadyExists });
  const found = await queues.listHumanAnnotationQueues(
    { topicId: [topicId], definitionId: [polite] },
    testCall(tenant),
  );
  expect(found.data.map((each) => each.id)).toEqual([ofPolite.data?.id]);

  await queues.addHumanAnnotationQueueItems({ id, traceIds: [good] }, testCall(tenant));
  const { data: items } = await queues.listHumanAnnotationQueueItems({ queueId: [id] }, testCall(tenant));
  expect(items).toMatchObject([
    { definitionId: example, traceId: good, criterion: { name: "Tone", examples: [{ traceId: good }, {}] } },
  ]);
  const fromQueue = {
    traceId: good,
    queueItemId: items[0]?.id ?? "",
    source: HumanAnnotationSource.REVIEW_QUEUE,
  };
  expect(await create(fromQueue).catch(pathsOfError)).toEqual(["definition_id"]);
  await judge({ ...fromQueue, definitionId: example });
});

/** Records tests that every definition judges, with one trace each. */
async function judgedTraces(evaluations: readonly { definitionId: string; passed: boolean; score: number }[][]) {
  const taskId = newId();
  const tests = evaluations.map((each) => ({ taskId, evaluations: each }));
  const { testIds } = await harness.client(TestService).recordResults({ tests }, testCall(tenant));
  return newTraces(testIds.length, testIds);
}

// Values of scikit-learn and scipy.
test("a calibration counts only annotations of its definition, and compares scores", async () => {
  const [definitionId, other] = [newId(), newId()];
  harness.definitions.set(definitionId, { name: "Style", type: EvalDefinitionType.STYLE });
  const people = Array.from({ length: 45 }, (_, at) => 1 + (at % 5));
  const judges = people.map((score, at) => Math.min(5, Math.max(1, score + ((at % 3) - 1))));
  const traces = await judgedTraces(
    judges.map((score) => [
      { definitionId, passed: score >= 3.5, score },
      { definitionId: other, passed: true, score: 1 },
    ]),
  );
  for (const [at, traceId] of traces.entries()) {
    const score = people[at] ?? 0;
    await judge({ traceId, definitionId, score, verdict: score >= 3.5, critique });
    // The whole answer fails for reasons that the judge does not look at.
    await judge({ traceId, verdict: false, critique });
  }
  const read = async (id: string) => (await calibrations.getCalibration({ id }, testCall(tenant))).data;
  const judged = (await read(definitionId))?.judge;
  const count = (isJudge: boolean, isPeople: boolean) =>
    people.filter((score, at) => score >= 3.5 === isPeople && (judges[at] ?? 0) >= 3.5 === isJudge).length;
  expect(judged).toMatchObject({
    confusion: {
      bothPass: count(true, true),
      onlyJudgePasses: count(true, false),
      onlyPeoplePass: count(false, true),
      bothFail: count(false, false),
    },
    scoredTraces: 45,
    weightedKappa: { value: expect.closeTo(0.8666666666666667, 9) },
    correlation: { value: expect.closeTo(0.8666666666666666, 9) },
  });
  const ofOther = (await read(other))?.judge;
  expect(ofOther).toMatchObject({ confusion: { bothPass: 0, onlyJudgePasses: 0 }, scoredTraces: 0 });
  expect(ofOther?.weightedKappa).toBeUndefined();
});

test("a queue for whole answers takes traces of a calibration, whose items name the definition", async () => {
  const [definitionId, other] = [newId(), newId()];
  const traces = await judgedTraces([
    [
      { definitionId, passed: true, score: 1 },
      { definitionId: other, passed: true, score: 1 },
    ],
  ]);
  const { data: queue } = await queues.createHumanAnnotationQueue({ topicId: newId() }, testCall(tenant));
  const queueId = queue?.id ?? "";
  for (const id of [definitionId, other])
    expect(await calibrations.queueCalibrationTraces({ id, queueId }, testCall(tenant))).toMatchObject({ count: 1 });
  const { data: items } = await queues.listHumanAnnotationQueueItems({ queueId: [queueId] }, testCall(tenant));
  expect(items.map((item) => [item.traceId, item.definitionId]).toSorted()).toEqual(
    [definitionId, other].map((id) => [traces[0], id]).toSorted(),
  );
  const { data: wrong } = await queues.createHumanAnnotationQueue(
    { topicId: newId(), definitionId: polite },
    testCall(tenant),
  );
  const refused = calibrations.queueCalibrationTraces({ id: other, queueId: wrong?.id ?? "" }, testCall(tenant));
  await expect(refused).rejects.toMatchObject({ code: Code.FailedPrecondition });
});
