import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import {
  HumanAnnotationOrder,
  HumanAnnotationService,
  HumanAnnotationSource,
} from "@ems/proto/experiments/v1/human_annotation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { IssueService, IssueSource, IssueStatus, IssueType } from "@ems/proto/experiments/v1/issue_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, clock } = harness;
const annotations = harness.client(HumanAnnotationService);
const issues = harness.client(IssueService);

const critique = "It names a fee that was abolished last year.";
const source = HumanAnnotationSource.TRACE_PAGE;
const by = (userId: string, of = tenant) => testCall({ ...of, userId });
const text = (value: string) => ({ kind: { case: "stringValue" as const, value } });

async function newTrace(testId?: string, of = tenant) {
  const event = { type: "trace", ...(testId !== undefined && { testId }) };
  const { data } = await harness.client(IngestService).ingestEvents({ events: [event] }, testCall(of));
  return data[0]?.id ?? "";
}
async function judge(fields: { traceId: string; verdict: boolean; critique?: string }, userId = "ada") {
  const { data } = await annotations.createHumanAnnotation({ source, ...fields }, by(userId));
  if (data === undefined) throw new Error("no annotation");
  return data;
}
const readIssue = async (id: string | undefined) =>
  (await issues.getIssue({ id: id ?? "" }, testCall(tenant))).data ?? expect.fail("no issue");
const listIssues = async (traceId: string) =>
  (await issues.listIssues({ limit: 100 }, testCall(tenant))).data.filter((issue) => issue.traceId === traceId);
const found = async (filter: Parameters<typeof annotations.listHumanAnnotations>[0]) =>
  (await annotations.listHumanAnnotations(filter, testCall(tenant))).data.map(({ id }) => id);

test("one person's annotation of a trace is updated; several people's annotations are stored separately", async () => {
  const traceId = await newTrace();
  const first = await judge({ traceId, verdict: true });
  expect(first).toMatchObject({
    traceId,
    verdict: true,
    source,
    annotatorId: "ada",
    applicationId: tenant.applicationId,
  });
  expect([first.critique, first.issueId, first.queueItemId]).toEqual([undefined, undefined, undefined]);
  clock.advance(1_000);
  const second = await judge({ traceId: traceId.toUpperCase(), verdict: true, critique: "Good" });
  expect(second).toEqual({ ...first, critique: "Good", modifiedAt: second.modifiedAt });
  expect(second.modifiedAt).not.toEqual(first.modifiedAt);
  const other = await judge({ traceId, verdict: false, critique }, "grace");
  expect(other).toMatchObject({ annotatorId: "grace", verdict: false });
  expect(await found({ traceId: [traceId] })).toEqual([other.id, first.id]);
});

test("an annotation that fails a trace opens an issue about the trace, its test, task and topic", async () => {
  const [taskId, topicId] = [newId(), newId()];
  harness.topicByTask.set(taskId, topicId);
  const { testIds } = await harness.client(TestService).recordResults({ tests: [{ taskId }] }, testCall(tenant));
  const traceId = await newTrace(testIds[0]);
  const { issueId } = await judge({ traceId, verdict: false, critique: `${critique}\n${"More. ".repeat(40)}` });
  const issue = await readIssue(issueId);
  expect(issue).toMatchObject({
    source: IssueSource.HUMAN_ANNOTATION,
    type: IssueType.HUMAN_ANNOTATION,
    status: IssueStatus.OPEN,
    traceId,
    testId: testIds[0],
    taskId,
    topicId,
    description: expect.stringContaining("More. More. "),
  });
  expect([...issue.title]).toHaveLength(120);
  expect(issue.title).toMatch(/^It names a fee that was abolished last year\. More\..*…$/);
  const events = await outboxEvents(harness.database, "experiments", {
    type: "issue.created",
    text: `"id":"${issueId}"`,
  });
  expect(events).toHaveLength(1);
});

test("an annotation has one open issue, and a new one after that was closed", async () => {
  const traceId = await newTrace();
  const { id, issueId } = await judge({ traceId, verdict: false, critique });
  expect((await judge({ traceId, verdict: true })).issueId).toBe(issueId);
  const { data } = await annotations.updateHumanAnnotation({ id, verdict: false, critique: text(critique) }, by("ada"));
  expect(data).toMatchObject({ id, verdict: false, critique, issueId });
  expect(await listIssues(traceId)).toHaveLength(1);

  await harness.database.sql(`UPDATE experiments.issue SET status = 'RESOLVED' WHERE id = '${issueId}'`);
  await annotations.updateHumanAnnotation({ id, critique: text(`${critique} Still.`) }, by("ada"));
  expect(await listIssues(traceId)).toHaveLength(1);
  const failedOnceMore = await judge({ traceId, verdict: false, critique });
  expect(failedOnceMore.issueId).not.toBe(issueId);
  expect(await listIssues(traceId)).toHaveLength(2);
});

test("two concurrent requests of one person leave one annotation with one issue", async () => {
  const traceId = await newTrace();
  const answers = await Promise.all([1, 2, 3, 4].map(() => judge({ traceId, verdict: false, critique })));
  expect(new Set(answers.map(({ id, issueId }) => `${id} ${issueId}`)).size).toBe(1);
  expect(await listIssues(traceId)).toHaveLength(1);
});

test("only the annotator updates an annotation, and only the requested fields change", async () => {
  const { id } = await judge({ traceId: await newTrace(), verdict: true, critique: "Good" });
  const none = { kind: { case: "nullValue" as const, value: 0 } };
  const update = (fields: object, userId = "ada") => annotations.updateHumanAnnotation({ id, ...fields }, by(userId));
  expect((await update({ critique: text(critique) })).data).toMatchObject({ verdict: true, critique });
  expect((await update({ verdict: true, critique: none })).data?.critique).toBeUndefined();
  await expect(update({ verdict: true }, "grace")).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: "Only its annotator can change a human annotation",
  });
  const refuses = (fields: object) => expect(update(fields)).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect((await update({ critique: text("Short") })).data?.critique).toBe("Short");
  for (const invalid of [{}, { verdict: false }, { verdict: false, critique: none }]) await refuses(invalid);
  await update({ verdict: false, critique: text(critique) });
  for (const invalid of [{ critique: none }, { critique: text("Too short") }]) await refuses(invalid);
  await expect(annotations.updateHumanAnnotation({ id: newId(), verdict: true }, by("ada"))).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: "Human annotation not found",
  });
});

test("failing a trace requires a critique of 20 characters, and only source REVIEW_QUEUE has an item", async () => {
  const traceId = await newTrace();
  const create = (fields: Parameters<typeof annotations.createHumanAnnotation>[0]) =>
    annotations.createHumanAnnotation({ traceId, source, verdict: false, critique, ...fields }, by("ada"));
  await create({ critique: "x".repeat(20) });
  await create({ critique: "x".repeat(2048) });
  for (const invalid of [
    ...["x".repeat(19), "x".repeat(2049)].map((tooShortOrLong) => ({ critique: tooShortOrLong })),
    ...[{ verdict: true, critique: "" }, { queueItemId: newId() }],
    ...[{ source: HumanAnnotationSource.REVIEW_QUEUE }, { source: HumanAnnotationSource.UNSPECIFIED }],
  ]) {
    await expect(create(invalid)).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
  await expect(annotations.createHumanAnnotation({ traceId, source }, by("ada"))).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
  await expect(create({ traceId: newId() })).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: "Trace not found",
  });
});

test("lists by trace, person, source, verdict and time; verdict orders false before true", async () => {
  const userId = newId();
  const [good, bad] = [await newTrace(), await newTrace()];
  const passed = await judge({ traceId: good, verdict: true }, userId);
  const failed = await judge({ traceId: bad, verdict: false, critique }, userId);
  const mine = { annotatorId: [userId] };
  expect(await found({ ...mine, orderBy: HumanAnnotationOrder.VERDICT })).toEqual([passed.id, failed.id]);
  expect(await found({ ...mine, verdict: false })).toEqual([failed.id]);
  expect(await found({ ...mine, traceId: [good.toUpperCase()] })).toEqual([passed.id]);
  expect(await found({ ...mine, source: [HumanAnnotationSource.TEST_PAGE] })).toEqual([]);
  expect(await found({ ...mine, source: [source], startDate: passed.createdAt })).toHaveLength(2);
  expect(await found({ ...mine, queueItemId: [newId()] })).toEqual([]);
});

test("another tenant's traces and annotations are not found", async () => {
  const other = testTenant();
  const theirs = await newTrace(undefined, other);
  const request = { traceId: theirs, verdict: true, source };
  await expect(annotations.createHumanAnnotation(request, by("ada"))).rejects.toMatchObject({ code: Code.NotFound });
  const { data } = await annotations.createHumanAnnotation(request, by("ada", other));
  const update = annotations.updateHumanAnnotation({ id: data?.id ?? "", verdict: true }, by("ada"));
  await expect(update).rejects.toMatchObject({ code: Code.NotFound });
  expect(await found({ traceId: [theirs] })).toEqual([]);
});
