import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { createTenantContext } from "@ems/kit/rpc/call";
import { ErasureService, ErasureStatus } from "@ems/proto/experiments/v1/erasure_service";
import { ErasingService, ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { HumanAnnotationService, HumanAnnotationSource } from "@ems/proto/experiments/v1/human_annotation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { IssueService, IssueSource } from "@ems/proto/experiments/v1/issue_service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { placesOfText, testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { client, database, tenant } = harness;
const [erasures, work, traces] = [client(ErasureService), client(ErasureWorkService), client(TraceService)];
const [ingest, tests, issues] = [client(IngestService), client(TestService), client(IssueService)];
const person = { ...tenant, userId: "ada", keyId: newId() };
const value = (json: JsonObject | string) => fromJson(ValueSchema, json);
const withoutUser = {
  contextValues: createTenantContext(undefined),
  headers: testCall(tenant).headers,
  timeoutMs: 10_000,
};

/** Returns the tables of experiments and of traces that contain the text. */
const places = async (text: string) =>
  (await Promise.all(["experiments", "traces"].map((schema) => placesOfText(database, schema, text)))).flat();

async function newTrace(user: string, says: string, of = tenant, testId?: string) {
  const steps = [{ type: "request", content: value(says), metadata: value({ says }) }];
  const event = { type: "trace", metadata: value({ userId: user, says }), steps, ...(testId && { testId }) };
  const { data } = await ingest.ingestEvents({ events: [event] }, testCall(of));
  return data[0]?.id ?? "";
}

/** Finishes the work that the erasure queued for other services. */
async function finishWork() {
  for (const service of [ErasingService.EVALUATION, ErasingService.NOTIFICATIONS]) {
    const { items } = await work.claimErasedItems({ service, limit: 100, leaseMs: 60_000 }, withoutUser);
    for (const { id, applicationId, orgId } of items) {
      const call = testCall({ applicationId, orgId, userId: "" });
      const counts = service === ErasingService.EVALUATION ? { jobs: 2n } : { deliveries: 1n, events: 3n };
      // A second report is not counted.
      for (const _ of ["once", "again"]) await work.finishErasedItems({ id, ...counts }, call);
    }
  }
}
async function completed(id: string | undefined, of = tenant) {
  return vi.waitFor(
    async () => {
      await finishWork();
      const { data } = await erasures.getErasure({ id: id ?? "" }, testCall(of));
      if (data?.status !== ErasureStatus.COMPLETED) throw new Error("not completed");
      return data;
    },
    { timeout: 30_000, interval: 50 },
  );
}
const erase = async (user: string, of = tenant) => {
  const { data, found } = await erasures.createErasure({ user }, testCall(of));
  return { found, erased: (await completed(data?.id, of)).erased };
};

test("no table contains the user or quotes a trace; others' traces, scores and sums stay", async () => {
  const [user, secret] = ["ann@example.com", "Card 4711x was stolen"];
  const { testIds } = await tests.recordResults(
    {
      tests: [
        {
          taskId: newId(),
          evaluations: [{ definitionId: newId(), score: 0.5, passed: true, results: { quote: secret } }],
        },
      ],
    },
    testCall(tenant),
  );
  const [testId = ""] = testIds;
  const traceId = await newTrace(user, secret, tenant, testId);
  await newTrace(user, "4711x again");
  const keptId = await newTrace("bob", "stays");
  const withKey = { ...testCall(person), headers: { ...testCall(person).headers, "idempotency-key": "k" } };
  const annotations = client(HumanAnnotationService);
  const source = HumanAnnotationSource.TRACE_PAGE;
  const judged = await annotations.createHumanAnnotation(
    { traceId, verdict: false, critique: secret, source },
    withKey,
  );
  await issues.createIssue({ title: secret, description: secret, source: IssueSource.API, testId }, testCall(person));
  await traces.createTaskFromTrace({ traceId }, testCall(person));
  const [made] = harness.tracedTasks;
  // A later test of that task had the same prompt, and its trace does not name the user.
  const later = await tests.recordResults(
    {
      tests: [{ taskId: made?.id ?? "", evaluations: [{ definitionId: newId(), passed: false, results: { secret } }] }],
    },
    testCall(tenant),
  );
  await newTrace("", secret, tenant, later.testIds[0]);
  await vi.waitFor(
    async () => expect((await traces.listTraces({ search: "stolen" }, testCall(tenant))).data).toHaveLength(2),
    { timeout: 20_000, interval: 50 },
  );
  const before = await places("4711x");
  expect(before).toEqual(expect.arrayContaining(["audit", "evaluation", "human_annotation", "idempotency", "issue"]));
  expect(before).toEqual(expect.arrayContaining(["outbox", "trace", "trace_step"]));
  const sums = () => database.sql("SELECT * FROM experiments.evaluation_day ORDER BY definition_id");
  const sumsBefore = await sums();

  const dry = await erasures.createErasure({ user, dryRun: true }, testCall(tenant));
  const counts = { traces: 2n, steps: 2n, tests: 1n, evaluations: 1n, humanAnnotations: 1n, issues: 2n, tasks: 1n };
  expect(dry.found).toMatchObject(counts);
  expect(dry.data).toBeUndefined();
  expect(await places("4711x")).toEqual(before);

  const { erased } = await erase(user);
  expect(erased).toMatchObject({ ...counts, traces: 3n, steps: 3n, tests: 3n, evaluations: 3n });
  expect([erased?.jobs, erased?.deliveries]).toEqual([expect.any(BigInt), expect.any(BigInt)]);
  for (const text of ["4711x", user]) expect([text, await places(text)]).toEqual([text, []]);
  expect(await database.sql("SELECT DISTINCT trace_id FROM traces.trace_words")).toEqual([{ trace_id: keptId }]);
  expect(await database.sql("SELECT count(*)::int AS rows FROM traces.trace_metadata")).toEqual([{ rows: 2 }]);
  expect(await sums()).toEqual(sumsBefore);
  const { data: remaining, pagination } = await traces.listTraces({}, testCall(tenant));
  expect([remaining.map(({ id }) => id), pagination?.total]).toEqual([[keptId], 1n]);
  const results = await client(EvaluationService).listEvaluations({ testId: [testId] }, testCall(tenant));
  expect(results.data).toMatchObject([{ score: 0.5, passed: true, status: EvaluationStatus.COMPLETED }]);
  expect(results.data[0]?.results).toBeUndefined();
  const judgements = await annotations.listHumanAnnotations({ traceId: [traceId] }, testCall(tenant));
  expect(judgements.data).toMatchObject([{ id: judged.data?.id, verdict: false, traceId }]);
  // Repeating the erasure finds nothing. Data that arrives later is stored, and erased by the next erasure.
  expect((await erase(user)).found).toMatchObject({ traces: 0n, issues: 0n });
  await newTrace(user, "4711x later");
  expect((await erase(user)).erased).toMatchObject({ traces: 1n });
});

test("a test that waits for its judges ends, and so does its run", async () => {
  const task = newId();
  harness.plans.set(task, { definitions: [{ id: newId(), type: 4, expected: value("4711x") }] } as never);
  const { runId } = await client(RunService).triggerTasks({ taskIds: [task] }, testCall(tenant));
  const listed = await tests.listTests({ runId: [runId] }, testCall(tenant));
  const testId = listed.data[0]?.id ?? "";
  await newTrace("eve", "hello", tenant, testId);
  await erase("eve");
  const after = await tests.listTests({ runId: [runId] }, testCall(tenant));
  expect(after.data).toMatchObject([{ id: testId, message: "erased" }]);
  expect(await database.sql("SELECT FROM experiments.test_execution WHERE test_id = $1", [testId])).toEqual([]);
});

test("a request for a user being erased returns that erasure, found by the hash alone", async () => {
  await newTrace("carl", "hello");
  const [first, other] = await Promise.all(
    [1, 2].map(() => erasures.createErasure({ user: "carl" }, testCall(person))),
  );
  expect(other?.data?.id).toBe(first?.data?.id);
  await completed(first?.data?.id);
  const { data, pagination } = await erasures.listErasures({ user: "carl" }, testCall(tenant));
  expect([data[0]?.userHash, pagination?.total]).toEqual([first?.data?.userHash, 1n]);
  const logged = await database.sql("SELECT action FROM experiments.audit WHERE resource = 'erasure'");
  expect(logged).toEqual([{ action: "CREATED" }]);
});

test("another application's user of the same name has separate erasures", async () => {
  const other = testTenant();
  const theirs = await newTrace("same", "theirs", other);
  await newTrace("same", "ours");
  const { erased } = await erase("same");
  expect(erased).toMatchObject({ traces: 1n });
  expect((await traces.getTrace({ id: theirs }, testCall(other))).data?.id).toBe(theirs);
  const { data } = await erasures.listErasures({ user: "same" }, testCall(tenant));
  const error = { code: Code.NotFound };
  await expect(erasures.getErasure({ id: data[0]?.id ?? "" }, testCall(other))).rejects.toMatchObject(error);
  expect((await erasures.listErasures({}, testCall(other))).data).toEqual([]);
});

test("a user with more traces than a batch is erased completely", async () => {
  for (let batch = 0; batch < 3; batch++) {
    const events = Array.from({ length: 90 }, () => ({ type: "trace", metadata: value({ user: "many" }) }));
    await ingest.ingestEvents({ events }, testCall(tenant));
  }
  expect((await erase("many")).erased).toMatchObject({ traces: 270n });
  expect((await traces.listTraces({ user: "many" }, testCall(tenant))).pagination?.total).toBe(0n);
});

test("an erasure deletes all other traces and skips those already deleted", async () => {
  const of = testTenant();
  const [id, left] = [newId(), await newTrace("", "left", of)];
  // Adds more ids than fit in one batch, all sorted before the trace's id.
  await database.sql(
    `WITH created AS (INSERT INTO experiments.erasure
        (application_id, id, org_id, end_user_key, status, due_at, created_at, modified_at)
      VALUES ($1, $2, $3, gen_random_uuid(), 'RUNNING', now(), now(), now()))
    INSERT INTO experiments.erasure_trace (application_id, erasure_id, trace_id)
    SELECT $1, $2, lpad(to_hex(n), 32, '0')::uuid FROM generate_series(1, 150) n UNION ALL SELECT $1, $2, $4::uuid`,
    [of.applicationId, id, of.orgId, left],
  );
  expect((await completed(id, of)).erased).toMatchObject({ traces: 1n });
  await expect(traces.getTrace({ id: left }, testCall(of))).rejects.toMatchObject({ code: Code.NotFound });
  expect(await database.sql("SELECT FROM experiments.erasure_trace WHERE erasure_id = $1", [id])).toEqual([]);
});
