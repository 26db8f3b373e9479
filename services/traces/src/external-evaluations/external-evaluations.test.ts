import type { JsonObject } from "@bufbuild/protobuf";
import { Code } from "@ems/kit/errors";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { testCall, testTenant } from "@ems/test-support";
import { keyValues, otlpSpan, request, spanEvent } from "@ems/test-support/otlp";
import { traceUuid } from "@ems/traces-client";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { evaluationEvent } from "./entity.ts";

const harness = await tracesHarness();
const { tenant } = harness;
const caller = testCall(tenant);
const traces = harness.client(TraceService);
const otlp = harness.client(OtlpService);
const ingest = harness.client(IngestService);

let last = 0;
const nextDigits = () => (++last).toString(16).padStart(32, "c");
const toPayload = (json: JsonObject) => ({
  payload: Buffer.from(JSON.stringify(json)),
  contentType: "application/json",
});
const readAnswer = (payload: Uint8Array) => JSON.parse(Buffer.from(payload).toString());
async function sendSpans(spans: JsonObject[], call = caller) {
  return readAnswer((await otlp.exportTraces(toPayload(request(spans)), call)).payload);
}
async function sendLogs(logRecords: JsonObject[], call = caller) {
  const scopeLogs = [{ scope: { name: "judge" }, logRecords }];
  return readAnswer((await otlp.exportLogs(toPayload({ resourceLogs: [{ scopeLogs }] }), call)).payload);
}
const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
const read = async (id: string, call = caller) =>
  (await traces.getTrace({ id }, call)).data?.externalEvaluations.toSorted(byName);

const values = (more: object = {}) => ({
  "gen_ai.evaluation.name": "relevance",
  "gen_ai.evaluation.score.value": 0.25,
  ...more,
});
const result = (attributes: object, more: JsonObject = {}): JsonObject => ({
  timeUnixNano: "1772443800000000000",
  eventName: evaluationEvent,
  attributes: keyValues({ ...attributes }),
  ...more,
});
const llm = (traceId: string, responseId: string) =>
  otlpSpan({ "gen_ai.operation.name": "chat", "gen_ai.response.id": responseId }, { traceId });

test("span events and log records are external evaluations, never evals, and repeats are stored once", async () => {
  const traceId = nextDigits();
  const labeled = values({ "gen_ai.evaluation.score.label": "low", "gen_ai.evaluation.explanation": "Off topic" });
  const span = { ...otlpSpan({}, { traceId }), events: [spanEvent(evaluationEvent, labeled)] };
  expect(await sendSpans([span])).toEqual({});
  await sendSpans([span]);
  const log = result({ "gen_ai.evaluation.name": "tone", "gen_ai.evaluation.score.label": "pass" }, { traceId });
  expect(await sendLogs([log, log])).toEqual({});
  await sendLogs([log]);
  const { data } = await traces.getTrace({ id: traceId }, caller);
  expect(await read(traceId)).toMatchObject([
    { name: "relevance", score: 0.25, label: "low", explanation: "Off topic", source: "test.scope" },
    { name: "tone", label: "pass", source: "judge" },
  ]);
  expect(data?.evals).toEqual([]);
  expect(JSON.stringify(data?.steps, (_, value) => (typeof value === "bigint" ? 0 : value))).not.toContain("Off topic");
});

test("an evaluation finds its trace by the response's id, whichever arrives first", async () => {
  const [before, after] = [nextDigits(), nextDigits()];
  await sendLogs([result(values({ "gen_ai.response.id": "first" }))]);
  await sendSpans([llm(before, "first")]);
  await sendSpans([llm(after, "second")]);
  await sendLogs([result(values({ "gen_ai.response.id": "second", "gen_ai.evaluation.score.value": "0.75" }))]);
  expect(await read(before)).toMatchObject([{ score: 0.25 }]);
  expect(await read(after)).toMatchObject([{ score: 0.75 }]);
});

test("the evaluated response's trace precedes the trace of the judge, unless that has the response, too", async () => {
  for (const isFirst of [true, false]) {
    const [judge, chat, rerun] = [nextDigits(), nextDigits(), nextDigits()];
    const [own, shared] = [`own-${judge}`, `shared-${judge}`];
    const logs = [
      result(values({ "gen_ai.response.id": own }), { traceId: judge }),
      result(values({ "gen_ai.response.id": shared }), { traceId: rerun }),
    ];
    if (isFirst) await sendLogs(logs);
    await sendSpans([otlpSpan({}, { traceId: judge })]);
    await sendSpans([llm(chat, own), llm(chat, shared)]);
    await sendSpans([llm(rerun, shared)]);
    if (!isFirst) await sendLogs(logs);
    expect([await read(judge), await read(chat), await read(rerun)]).toMatchObject([[], [{}], [{}]]);
  }
});

test("concurrent evaluations and spans find each other", async () => {
  const ids = Array.from({ length: 12 }, () => nextDigits());
  await Promise.all(
    ids.flatMap((id) => [
      sendLogs([result(values({ "gen_ai.response.id": `r-${id}` }))]),
      sendSpans([llm(id, `r-${id}`), otlpSpan({}, { traceId: id })]),
    ]),
  );
  for (const id of ids) expect(await read(id)).toHaveLength(1);
});

test("a response's id that is the id of a trace names the trace", async () => {
  const traceId = nextDigits();
  await sendSpans([otlpSpan({}, { traceId })]);
  await sendLogs([result(values({ "gen_ai.response.id": traceId }))]);
  expect(await read(traceId)).toHaveLength(1);
});

test("records that say nothing, or of nothing, are refused with the reason", async () => {
  const traceId = nextDigits();
  const faulty = [
    result({ "gen_ai.evaluation.score.value": 1 }, { traceId }),
    result({ "gen_ai.evaluation.name": "a" }, { traceId }),
    result(values()),
    result(values({ "gen_ai.evaluation.score.value": "many" }), { traceId }),
    result(values({ "gen_ai.evaluation.name": "x".repeat(201) }), { traceId }),
  ];
  const { partialSuccess } = await sendLogs(faulty);
  expect(partialSuccess.rejectedLogRecords).toBe(5);
  for (const reason of [
    "name is required",
    "score.label or explanation",
    "a trace or",
    "must be a number",
    "at most 200",
  ])
    expect(partialSuccess.errorMessage).toContain(reason);
  const span = { ...otlpSpan({}, { traceId }), events: [spanEvent(evaluationEvent, {})] };
  expect((await sendSpans([span])).partialSuccess.errorMessage).toContain("name is required");
});

test("trace events have evaluations, and lists filter by name, label and score of the same evaluation", async () => {
  const send = async (...externalEvaluations: object[]) => {
    const events = [{ type: "trace", externalEvaluations: externalEvaluations as { name: string }[] }];
    const { data } = await ingest.ingestEvents({ events }, caller);
    expect(data[0]?.error).toBeUndefined();
    return data[0]?.id ?? "";
  };
  const good = await send({ name: "groundedness", score: 0.9, label: "pass", source: "nightly" });
  const bad = await send({ name: "groundedness", score: 0.1, label: "fail" }, { name: "other", score: 1 });
  expect(await read(good)).toMatchObject([{ name: "groundedness", score: 0.9, label: "pass", source: "nightly" }]);
  expect((await read(bad))?.map(({ source }) => source)).toEqual(["ingest", "ingest"]);
  const among = async (filter: Parameters<typeof traces.listTraces>[0]) => {
    const { data } = await traces.listTraces({ limit: 100, ...filter }, caller);
    return [good, bad].map((id) => data.some((trace) => trace.id === id));
  };
  const externalEvaluation = "groundedness";
  expect(await among({ externalEvaluation })).toEqual([true, true]);
  expect(await among({ externalEvaluation, externalLabel: "fail" })).toEqual([false, true]);
  expect(await among({ externalEvaluation, minExternalScore: 0.5 })).toEqual([true, false]);
  expect(await among({ externalEvaluation, maxExternalScore: 0.1 })).toEqual([false, true]);
  expect(await among({ externalEvaluation, externalLabel: "pass", maxExternalScore: 0.5 })).toEqual([false, false]);
  expect(await among({ externalEvaluation: "unknown" })).toEqual([false, false]);
  for (const invalid of [{ externalLabel: "pass" }, { minExternalScore: 1 }, { externalEvaluation, store: "archive" }])
    await expect(among(invalid)).rejects.toMatchObject({ code: Code.InvalidArgument });
  const step = { type: "log", externalEvaluations: [{ name: "a", score: 1 }] };
  const { data } = await ingest.ingestEvents({ events: [step] }, caller);
  expect(data[0]?.error).toContain("externalEvaluations: move them to a trace event");
});

test("an application has 100 names; more are refused and counted; names without evaluations become free", async () => {
  const other = testTenant();
  const call = testCall(other);
  const traceId = nextDigits();
  const named = (name: string) => result(values({ "gen_ai.evaluation.name": name }), { traceId });
  const many = Array.from({ length: 103 }, (_, index) => named(`name ${index}`));
  expect((await sendLogs(many, call)).partialSuccess).toMatchObject({
    rejectedLogRecords: 3,
    errorMessage: expect.stringContaining("3 refused. An application has at most 100 names"),
  });
  await sendSpans([otlpSpan({}, { traceId })], call);
  expect(await read(traceId, call)).toHaveLength(100);
  expect(await sendLogs([named("name 7")], call)).toEqual({});
  const span = { ...otlpSpan({}, { traceId }), events: [spanEvent(evaluationEvent, values())] };
  expect((await sendSpans([span], call)).partialSuccess.errorMessage).toContain("1 refused");
  const event = { type: "trace", externalEvaluations: [{ name: "further", score: 1 }] };
  const { data } = await ingest.ingestEvents({ events: [event, { type: "trace" }] }, call);
  expect(data.map(({ error }) => error)).toEqual([expect.stringContaining("externalEvaluations.0.name"), undefined]);
  await harness.client(TraceWorkService).eraseTraces({ traceIds: [traceUuid(traceId)] }, call);
  expect(
    await harness.database.sql("SELECT FROM traces.external_evaluation WHERE application_id = $1", [
      other.applicationId,
    ]),
  ).toEqual([]);
  expect((await ingest.ingestEvents({ events: [event] }, call)).data[0]?.error).toBeUndefined();
});

test("labels and explanations are redacted", async () => {
  const other = testTenant();
  const call = testCall(other);
  const redactions = [{ name: "secret", pattern: "s3cret", replacement: "[removed]", enabled: true }];
  await harness.client(IngestSettingsService).updateIngestSettings({ redactions }, call);
  const traceId = nextDigits();
  const texts = { "gen_ai.evaluation.score.label": "s3cret", "gen_ai.evaluation.explanation": "It says s3cret." };
  await sendLogs([result(values(texts), { traceId })], call);
  const evaluation = { name: "aloud", label: "s3cret" };
  await ingest.ingestEvents({ events: [{ type: "trace", traceId, externalEvaluations: [evaluation] }] }, call);
  expect((await read(traceId, call))?.map(({ label, explanation }) => [label, explanation])).toEqual([
    ["[removed]", undefined],
    ["[removed]", "It says [removed]."],
  ]);
});
