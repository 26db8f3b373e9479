import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { createTenantContext } from "@ems/kit/rpc/call";
import { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import { ErasureService, ErasureStatus } from "@ems/proto/experiments/v1/erasure_service";
import { ErasingService, ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import { HumanAnnotationService, HumanAnnotationSource } from "@ems/proto/experiments/v1/human_annotation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { IssueService, IssueSource } from "@ems/proto/experiments/v1/issue_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { FeedbackThumb } from "@ems/proto/experiments/v1/trace";
import { TraceDeletionService } from "@ems/proto/experiments/v1/trace_deletion_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { placesOfText, testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { client, database, tenant } = harness;
const [deletions, work, traces] = [client(TraceDeletionService), client(ErasureWorkService), client(TraceService)];
const [ingest, tests, issues] = [client(IngestService), client(TestService), client(IssueService)];
const person = { ...tenant, userId: "ada", keyId: newId() };
const value = (json: JsonObject | string) => fromJson(ValueSchema, json);
const withoutUser = {
  contextValues: createTenantContext(undefined),
  headers: testCall(tenant).headers,
  timeoutMs: 10_000,
};

const places = async (text: string) =>
  (await Promise.all(["experiments", "traces"].map((schema) => placesOfText(database, schema, text)))).flat();

async function newTrace(says: string, of = tenant, testId?: string) {
  const steps = [{ type: "request", content: value(says) }];
  const event = { type: "trace", metadata: value({ says, channel: "chat" }), steps, ...(testId && { testId }) };
  const { data } = await ingest.ingestEvents({ events: [event] }, testCall(of));
  return data[0]?.id ?? "";
}

/** Finishes the work that deletions queued for other services; returns the ids that they named. */
async function finishWork(): Promise<{ testIds: string[]; subjectIds: string[] }> {
  const named: { testIds: string[]; subjectIds: string[] } = { testIds: [], subjectIds: [] };
  for (const service of [ErasingService.EVALUATION, ErasingService.NOTIFICATIONS]) {
    const { items } = await work.claimErasedItems({ service, limit: 100, leaseMs: 60_000 }, withoutUser);
    for (const { id, applicationId, orgId, testIds, subjectIds } of items) {
      named.testIds.push(...testIds);
      named.subjectIds.push(...subjectIds);
      await work.finishErasedItems({ id }, testCall({ applicationId, orgId, userId: "" }));
    }
  }
  return named;
}

async function completed(id = "") {
  const named: string[] = [];
  return vi.waitFor(
    async () => {
      named.push(...(await finishWork()).subjectIds);
      const { data } = await deletions.getTraceDeletion({ id }, testCall(tenant));
      if (data?.status !== ErasureStatus.COMPLETED) throw new Error("not completed");
      return { deletion: data, named };
    },
    { timeout: 30_000, interval: 50 },
  );
}

test("after the deletion, only the issue made from the trace has its text; the test keeps outcome and score", async () => {
  const secret = "Card 4711x was stolen";
  const evaluations = [{ definitionId: newId(), score: 0.5, passed: true, results: { quote: secret } }];
  const { testIds } = await tests.recordResults({ tests: [{ taskId: newId(), evaluations }] }, testCall(tenant));
  const [testId = ""] = testIds;
  const traceId = await newTrace(secret, tenant, testId);
  const keptId = await newTrace("stays");
  const withKey = { ...testCall(person), headers: { ...testCall(person).headers, "idempotency-key": "k" } };
  await traces.recordTraceFeedback({ id: traceId, thumb: FeedbackThumb.DOWN, comment: secret }, testCall(person));
  const source = HumanAnnotationSource.TRACE_PAGE;
  const opinion = { traceId, verdict: false, critique: secret, source };
  await client(HumanAnnotationService).createHumanAnnotation(opinion, withKey);
  const { data: read } = await traces.getTrace({ id: traceId }, testCall(tenant));
  const stepId = read?.steps[0]?.id ?? "";
  const annotated = await client(AnnotationService).createAnnotation(
    { title: secret, description: secret, traceStepId: stepId },
    testCall(person),
  );
  await issues.createIssue({ title: secret, source: IssueSource.API, testId }, testCall(person));
  const task = await traces.createTaskFromTrace({ traceId }, testCall(person));
  const before = await places("4711x");
  expect(before).toEqual(expect.arrayContaining(["annotation", "audit", "evaluation", "feedback", "human_annotation"]));
  expect(before).toEqual(expect.arrayContaining(["idempotency", "issue", "outbox", "trace", "trace_step"]));

  const filter = { testId };
  const dry = await deletions.deleteTraces({ filter, dryRun: true }, testCall(tenant));
  expect(dry).toMatchObject({ count: 1n, archivedCount: 0n, taskCount: 1n, issueCount: 2n });
  // The failed human annotation made an issue, too.
  const made = (await issues.listIssues({}, testCall(tenant))).data.map(({ id }) => id);
  expect(dry.issueIds.toSorted()).toEqual(made.toSorted());
  expect([dry.taskIds, dry.data]).toEqual([[task.task?.id], undefined]);
  expect(await places("4711x")).toEqual(before);

  const { test: testBefore } = await tests.getTest({ id: testId }, testCall(tenant));
  await deletions.deleteTrace({ id: traceId }, testCall(person));
  await expect(traces.getTrace({ id: traceId }, testCall(tenant))).rejects.toMatchObject({ code: Code.NotFound });
  const [row] = await database.sql<{ id: string }>("SELECT id FROM experiments.erasure");
  const { deletion, named } = await completed(row?.id);
  expect(deletion.deleted).toMatchObject({ traces: 1n, steps: 1n, tests: 1n, evaluations: 1n, issues: 0n, tasks: 0n });
  expect(named).toEqual(expect.arrayContaining([...made, task.task?.id, annotated.data?.id]));
  expect(await places("4711x")).toEqual(["issue"]);
  const { test: testAfter } = await tests.getTest({ id: testId }, testCall(tenant));
  expect(testAfter).toMatchObject({ id: testId, passed: true, outcome: testBefore?.outcome });
  expect(testAfter?.score).toBe(testBefore?.score);
  expect([testBefore?.traceId, testAfter?.traceId]).toEqual([traceId, undefined]);
  const { data: remaining } = await traces.listTraces({}, testCall(tenant));
  expect(remaining.map(({ id }) => id)).toEqual([keptId]);
  // The audit log names the person and the trace.
  const [entry] = await database.sql("SELECT user_id, changes FROM experiments.audit WHERE resource = 'erasure'");
  expect(entry).toMatchObject({ user_id: "ada" });
  expect(JSON.stringify(entry)).toContain(traceId);
  const erasures = await client(ErasureService).listErasures({}, testCall(tenant));
  expect(erasures.data).toEqual([]);
  await expect(client(ErasureService).getErasure({ id: row?.id ?? "" }, testCall(tenant))).rejects.toThrow();
});

test("deleting a trace again, or one that another tenant has, changes nothing", async () => {
  const foreign = testTenant();
  const foreignId = await newTrace("theirs", foreign);
  const rows = () => database.sql("SELECT id FROM experiments.erasure");
  const before = await rows();
  for (const id of [newId(), foreignId, foreignId.replaceAll("-", "")]) {
    expect(await deletions.deleteTrace({ id }, testCall(tenant))).toEqual({ $typeName: expect.any(String) });
  }
  expect(await rows()).toEqual(before);
  expect((await traces.listTraces({}, testCall(foreign))).data).toMatchObject([{ id: foreignId }]);
});

test("a filter deletes the traces that it counted, also when it is sent twice, and keeps later ones", async () => {
  const channel = { metadataKey: "says", metadataValue: "batch" };
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(await newTrace("batch"));
  const dry = await deletions.deleteTraces({ filter: channel, dryRun: true }, testCall(tenant));
  expect(dry.count).toBe(3n);
  const confirmed = { filter: channel, count: dry.count, archivedCount: 0n, countedAt: dry.countedAt };
  for (const broken of [{ filter: channel }, { ...confirmed, filter: { ...channel, limit: 1 } }])
    await expect(deletions.deleteTraces(broken, testCall(tenant))).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  await expect(deletions.deleteTraces({ ...confirmed, count: 2n }, testCall(tenant))).rejects.toThrow(
    /3 traces match, but the request confirms 2/,
  );
  harness.clock.advance(5);
  const laterId = await newTrace("batch");
  const first = await deletions.deleteTraces(confirmed, testCall(tenant));
  expect(first.data).toMatchObject({ status: ErasureStatus.RUNNING, traces: 3n });
  await deletions.deleteTraces(confirmed, testCall(tenant));
  const { deletion } = await completed(first.data?.id);
  expect(deletion.traces).toBe(3n);
  const left = await traces.listTraces(channel, testCall(tenant));
  expect(left.data.map(({ id }) => id)).toEqual([laterId]);
});
