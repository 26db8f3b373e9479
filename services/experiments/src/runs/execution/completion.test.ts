import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { executions } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness({ SETTLE_STEPS_MS: "300", SETTLE_ROOT_MS: "300", SETTLE_ROOTLESS_MS: "900" });
const { database } = harness;
const [ingest, traces] = [harness.client(IngestService), harness.client(TraceService)];
const text = (value: string) => fromJson(ValueSchema, value);
const expectComplete = (testId: string) =>
  expect
    .poll(() => database.sql("SELECT 1 FROM traces.trace_settling WHERE test_id = $1", [testId]), {
      timeout: 15_000,
    })
    .toEqual([]);
const readOutput = async (application: ReturnType<typeof executions>, testId: string) => {
  const work = await application.claim(1);
  const evaluationIds = application.listEvaluations(work).map(({ id }) => id);
  return (await harness.client(ExecutionService).getJudgeInput({ testId, evaluationIds }, application.call())).output;
};

test("steps after trace completion are stored and never judged, even in a rerun", async () => {
  const application = executions(harness);
  const [{ id: testId } = { id: "" }] = (await application.trigger()).tests;
  await application.accept(testId);
  const traceId = newId();
  const steps = [{ type: "response", content: text("First") }];
  await ingest.ingestEvents({ events: [{ type: "trace", traceId, testId, steps }] }, application.call());
  await expectComplete(testId);
  await ingest.ingestEvents({ events: [{ type: "response", traceId, content: text("Late") }] }, application.call());
  await expectComplete(testId);
  expect(await readOutput(application, testId)).toBe("First");
  expect((await traces.getTrace({ id: traceId }, application.call())).data?.steps).toHaveLength(2);
});

test("steps that arrive in several requests complete together, in any order", async () => {
  for (const order of [
    [0, 1, 2],
    [2, 0, 1],
    [1, 2, 0],
  ]) {
    const application = executions(harness);
    const [{ id: testId } = { id: "" }] = (await application.trigger()).tests;
    const traceId = newId();
    const at = (second: number) => ({ seconds: BigInt(1_767_225_600 + second), nanos: 0 });
    const events = [
      { type: "trace", traceId, testId },
      { type: "response", traceId, content: text("First"), timestamp: at(1) },
      { type: "response", traceId, content: text("Last"), timestamp: at(2) },
    ];
    for (const index of order) await ingest.ingestEvents({ events: [events[index] ?? {}] }, application.call());
    expect(await readOutput(application, testId)).toBe("Last");
  }
});

test("one of two traces sent at once closes the test, and both are stored", async () => {
  const application = executions(harness);
  const [{ id: testId } = { id: "" }] = (await application.trigger()).tests;
  await Promise.all([application.sendTrace(testId), application.sendTrace(testId), application.sendTrace(testId)]);
  await expectComplete(testId);
  expect(application.listEvaluations(await application.claim(1))).toHaveLength(1);
  const rows = await database.sql("SELECT id FROM traces.trace WHERE test_id = $1", [testId]);
  expect(rows).toHaveLength(3);
  const closedBy = (await application.readTest(testId))?.traceId;
  expect(rows.map(({ id }) => id)).toContain(closedBy);
  expect((await traces.getTraceByTest({ id: testId }, application.call())).data?.id).toBe(closedBy);
});

test("traces of unknown, foreign and recorded tests are stored and change no test", async () => {
  const application = executions(harness);
  const [{ id: testId } = { id: "" }] = (await application.trigger()).tests;
  const other = testTenant();
  const recorded = await harness
    .client(TestService)
    .recordResults({ tests: [{ taskId: newId(), passed: true }] }, testCall(other));
  const [recordedId = ""] = recorded.testIds;
  const answers = [];
  for (const id of [newId(), testId, recordedId]) {
    const steps = [{ type: "response", content: text("Hello") }];
    const { data } = await ingest.ingestEvents({ events: [{ type: "trace", testId: id, steps }] }, testCall(other));
    answers.push(data.map(({ success }) => success));
    await expectComplete(id);
  }
  expect(answers).toEqual([[true], [true], [true]]);
  expect(await application.readTest(testId)).toMatchObject({ status: ResultStatus.PENDING });
  expect((await harness.client(TestService).getTest({ id: recordedId }, testCall(other))).test).toMatchObject({
    status: ResultStatus.COMPLETED,
  });
});
