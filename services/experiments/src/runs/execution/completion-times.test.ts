// Completion times of OpenTelemetry traces. They use the database's clock, so tests change stored times instead.

import type { JsonObject } from "@bufbuild/protobuf";
import { newId } from "@ems/kit/id";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testTenant } from "@ems/test-support";
import { otlpSpan, request } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { executions, passedOutcome } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness({ SETTLE_STEPS_MS: "20000" });
const { database } = harness;
const [traces, execution] = [harness.client(TraceService), harness.client(ExecutionService)];
const rootId = "00000000000000aa";

/** Creates an application that sends spans of one trace. */
function sender(application = executions(harness, testTenant())) {
  const id = newId();
  const span = (attributes: Readonly<Record<string, unknown>>, more: JsonObject = {}) =>
    otlpSpan(attributes, { traceId: id.replaceAll("-", ""), parentSpanId: rootId, ...more });
  const root = (attributes: Readonly<Record<string, unknown>>, more: JsonObject = {}) =>
    otlpSpan(attributes, { traceId: id.replaceAll("-", ""), spanId: rootId, ...more });
  const send = (...spans: JsonObject[]) => {
    const payload = Buffer.from(JSON.stringify(request(spans)));
    return harness.client(OtlpService).exportTraces({ payload, contentType: "application/json" }, application.call());
  };
  return { ...application, traceId: id, span, root, send };
}

const now = async () => (await database.sql<{ now: Date }>("SELECT clock_timestamp() AS now"))[0]?.now.getTime() ?? 0;
const readDue = async (testId: string) => {
  const text = "SELECT due_at FROM traces.trace_settling WHERE test_id = $1";
  return (await database.sql<{ due_at: Date }>(text, [testId]))[0]?.due_at.getTime();
};
/** Sends data and expects the trace to complete `ms` later if nothing else arrives. */
async function expectCompletionAfter(ms: number, testId: string, send: () => Promise<unknown>): Promise<void> {
  const before = await now();
  await send();
  const due = (await readDue(testId)) ?? 0;
  expect(due).toBeGreaterThanOrEqual(before + ms - 1);
  expect(due).toBeLessThanOrEqual((await now()) + ms + 1);
}
const pass = (testId: string, time: string) =>
  database.sql(
    "UPDATE traces.trace_settling SET due_at = due_at - $2::interval, started_at = started_at - $2::interval WHERE test_id = $1",
    [testId, time],
  );
const expectComplete = (testId: string) => expect.poll(() => readDue(testId), { timeout: 15_000 }).toBeUndefined();

test("OpenTelemetry: 60 s without a root, and 10 s after the last span once the root has ended", async () => {
  const application = sender();
  const [{ id: testId } = { id: "" }] = (await application.trigger()).tests;
  await application.accept(testId);
  const attributes = { "avido.test.id": testId };
  await expectCompletionAfter(60_000, testId, () => application.send(application.span(attributes)));
  await expectCompletionAfter(60_000, testId, () => application.send(application.span({})));
  await expectCompletionAfter(10_000, testId, () => application.send(application.root(attributes)));
  await expectCompletionAfter(10_000, testId, () => application.send(application.span({})));
  await pass(testId, "10 seconds");
  await expectComplete(testId);
  expect(await application.readTest(testId)).toMatchObject({
    status: ResultStatus.IN_PROGRESS,
    traceId: application.traceId,
    evals: [{}],
  });
});

test("own API: a whole trace completes at once; a trace without steps or with a further step after the configured time", async () => {
  const application = executions(harness, testTenant());
  const [whole = "", empty = ""] = (await application.trigger({ repeat: 2 })).tests.map(({ id }) => id);
  const ingest = (event: JsonObject) =>
    harness.client(IngestService).ingestEvents({ events: [event] }, application.call());
  const [step, traceId] = [{ type: "log" }, newId()];
  await expectCompletionAfter(20_000, empty, () => ingest({ type: "trace", traceId, testId: empty, steps: [] }));
  await expectCompletionAfter(20_000, empty, () => ingest({ ...step, traceId }));
  await ingest({ type: "trace", testId: whole, steps: [step] });
  await expectComplete(whole);
  expect(await readDue(empty)).toBeDefined();
});

test("a trace whose spans never end completes 15 minutes after the first, and one without a root after 60 s", async () => {
  const [endless, rootless] = [sender(), sender()];
  const [{ id: testId } = { id: "" }] = (await endless.trigger()).tests;
  const [{ id: other } = { id: "" }] = (await rootless.trigger()).tests;
  await endless.send(endless.span({ "avido.test.id": testId }));
  await database.sql("UPDATE traces.trace_settling SET started_at = started_at - interval '890 s' WHERE test_id = $1", [
    testId,
  ]);
  await endless.send(endless.span({}));
  const text =
    "SELECT extract(epoch FROM due_at - started_at)::float8 AS seconds FROM traces.trace_settling WHERE test_id = $1";
  expect(await database.sql(text, [testId])).toEqual([{ seconds: 900 }]);
  await pass(testId, "15 minutes");
  await rootless.send(rootless.span({ "avido.test.id": other }));
  await pass(other, "60 seconds");
  await expectComplete(testId);
  await expectComplete(other);
  for (const [application, id] of [
    [endless, testId],
    [rootless, other],
  ] as const) {
    expect(await application.readTest(id)).toMatchObject({
      status: ResultStatus.IN_PROGRESS,
      traceId: application.traceId,
    });
  }
});

test("late spans and traces are stored and change nothing, whatever test they name", async () => {
  const application = sender();
  const [{ id: testId } = { id: "" }] = (await application.trigger()).tests;
  await application.accept(testId);
  const message = (text: string) => ({ "output.value": text, "openinference.span.kind": "AGENT" });
  await application.send(application.root({ ...message("First"), "avido.test.id": testId }));
  await pass(testId, "10 seconds");
  await expectComplete(testId);
  const [offered] = application.listEvaluations(await application.claim(1));
  const input = async (id: string) =>
    (await execution.getJudgeInput({ testId, evaluationIds: [id] }, application.call())).output;
  expect(await input(offered?.id ?? "")).toBe("First");
  await application.record([{ id: offered?.id ?? "", ...passedOutcome }]);
  const ended = await application.readTest(testId);

  // Sends a span of the same trace, a second trace of the test, and a trace of another application that names the test.
  await application.send(application.span(message("Late")));
  const [double, foreign] = [sender(application), sender()];
  await double.send(double.root({ ...message("Double"), "avido.test.id": testId }));
  await foreign.send(foreign.root({ ...message("Foreign"), "avido.test.id": testId }));
  await pass(testId, "60 seconds");
  await expectComplete(testId);

  expect(await application.readTest(testId)).toEqual(ended);
  expect((await traces.getTrace({ id: application.traceId }, application.call())).data?.steps).toHaveLength(2);
  expect((await traces.getTrace({ id: double.traceId }, application.call())).data?.testId).toBe(testId);
  expect((await traces.getTrace({ id: foreign.traceId }, foreign.call())).data?.steps).toHaveLength(1);
  expect((await traces.getTraceByTest({ id: testId }, application.call())).data?.id).toBe(application.traceId);
  await harness.client(EvaluationService).rerunEvaluations({ ids: [offered?.id ?? ""] }, application.call());
  const [offeredEvaluation] = application.listEvaluations(await application.claim(1));
  expect(await input(offeredEvaluation?.id ?? "")).toBe("First");
});

test("spans that name an unknown test form an ordinary trace", async () => {
  const application = sender();
  const unknown = newId();
  await application.send(application.root({ "avido.test.id": unknown }));
  await pass(unknown, "10 seconds");
  await expectComplete(unknown);
  expect((await traces.getTrace({ id: application.traceId }, application.call())).data).toMatchObject({
    testId: unknown,
    steps: [{}],
  });
});

test("a trace postponed during a claim completes at its due time, not at the end of the lease", async () => {
  const application = sender();
  const [{ id: testId } = { id: "" }] = (await application.trigger()).tests;
  await application.send(application.root({ "avido.test.id": testId }));
  await database.sql("UPDATE traces.trace_settling SET leased_until = now() + interval '1 hour' WHERE test_id = $1", [
    testId,
  ]);
  await application.send(application.span({}));
  await pass(testId, "10 seconds");
  await expectComplete(testId);
  expect(await application.readTest(testId)).toMatchObject({ status: ResultStatus.IN_PROGRESS, evals: [{}] });
});
