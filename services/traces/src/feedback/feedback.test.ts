import type { JsonObject } from "@bufbuild/protobuf";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { FeedbackSource, FeedbackThumb } from "@ems/proto/experiments/v1/trace";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import { testCall, testTenant } from "@ems/test-support";
import { keyValues, otlpSpan, request } from "@ems/test-support/otlp";
import { endUserKey } from "@ems/traces-client";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const { tenant } = harness;
const caller = testCall(tenant);
const traces = harness.client(TraceService);
const otlp = harness.client(OtlpService);
const { UP, DOWN } = FeedbackThumb;

async function newTrace(of = tenant): Promise<string> {
  const { data } = await harness.client(IngestService).ingestEvents({ events: [{ type: "trace" }] }, testCall(of));
  return data[0]?.id ?? "";
}
const readFeedback = async (id: string) => (await traces.getTrace({ id }, caller)).data?.feedback ?? [];
const record = (fields: Parameters<typeof traces.recordTraceFeedback>[0], of = tenant) =>
  traces.recordTraceFeedback(fields, testCall(of));
const list = async (filter: Parameters<typeof traces.listTraces>[0]) =>
  (await traces.listTraces(filter, caller)).data.map(({ id }) => id);

let last = 0;
const nextDigits = () => (++last).toString(16).padStart(32, "e");
const bytes = (json: JsonObject) => ({ payload: Buffer.from(JSON.stringify(json)), contentType: "application/json" });
async function sendLogs(logRecords: JsonObject[]) {
  const { payload } = await otlp.exportLogs(bytes({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }), caller);
  return JSON.parse(Buffer.from(payload).toString());
}

test("feedback is returned with its trace, newest first, and never as an evaluation", async () => {
  const id = await newTrace();
  const { data } = await record({ id, thumb: UP, score: 4, comment: "Thanks!", user: "customer-7" });
  expect(data).toMatchObject({
    traceId: id,
    thumb: UP,
    score: 4,
    comment: "Thanks!",
    user: "customer-7",
    source: FeedbackSource.API,
  });
  harness.clock.advance(1_000);
  await record({ id, thumb: DOWN });
  const { data: trace } = await traces.getTrace({ id }, caller);
  expect(trace?.feedback.map(({ thumb }) => thumb)).toEqual([DOWN, UP]);
  expect(trace?.evals).toEqual([]);
  for (const invalid of [{ id }, { id, comment: "" }, { id, thumb: FeedbackThumb.UNSPECIFIED }, { id, score: 1e9 + 1 }])
    await expect(record(invalid)).rejects.toMatchObject({ code: Code.InvalidArgument });
  const gone = { code: Code.NotFound, rawMessage: "Trace not found" };
  await expect(record({ id: newId(), thumb: UP })).rejects.toMatchObject(gone);
  await expect(record({ id, thumb: UP }, testTenant())).rejects.toMatchObject(gone);
});

test("lists filter by feedback, opinion and score", async () => {
  const [good, bad, none] = [await newTrace(), await newTrace(), await newTrace()];
  await record({ id: good, thumb: UP, score: 5 });
  await record({ id: bad, thumb: DOWN, score: 1 });
  const among = async (filter: Parameters<typeof traces.listTraces>[0]) => {
    const ids = await list({ limit: 100, ...filter });
    return [good, bad, none].map((id) => ids.includes(id));
  };
  expect(await among({ hasFeedback: true })).toEqual([true, true, false]);
  expect(await among({ hasFeedback: false })).toEqual([false, false, true]);
  expect(await among({ feedbackThumb: DOWN })).toEqual([false, true, false]);
  expect(await among({ minFeedbackScore: 2 })).toEqual([true, false, false]);
  expect(await among({ minFeedbackScore: 1, maxFeedbackScore: 1 })).toEqual([false, true, false]);
  await expect(list({ store: "archive", hasFeedback: true })).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("log records and span events are feedback, also before their trace, and repeats are stored once", async () => {
  const traceId = nextDigits();
  const logRecord = {
    timeUnixNano: "1700000000000000000",
    traceId,
    spanId: "00000000000000ab",
    eventName: "ems.feedback",
    attributes: keyValues({ thumb: "down", score: 2, comment: "Wrong fee", "user.id": "customer-8" }),
  };
  expect(await sendLogs([logRecord, logRecord])).toEqual({});
  await sendLogs([logRecord]);
  const event = {
    name: "ems.feedback",
    timeUnixNano: "1700000001000000000",
    attributes: keyValues({ "ems.feedback.thumb": true, "enduser.id": "customer-9" }),
  };
  const span = { ...otlpSpan({}, { traceId }), events: [event] };
  await otlp.exportTraces(bytes(request([span])), caller);
  const feedback = await readFeedback(traceId);
  expect(feedback).toMatchObject([
    { thumb: UP, user: "customer-9", source: FeedbackSource.OTLP },
    { thumb: DOWN, score: 2, comment: "Wrong fee", user: "customer-8", source: FeedbackSource.OTLP },
  ]);
  const { data } = await traces.getTrace({ id: traceId }, caller);
  expect(JSON.stringify(data?.steps, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
    "customer-9",
  );
  const faulty = [
    { ...logRecord, attributes: keyValues({ thumb: "sideways" }) },
    { ...logRecord, attributes: keyValues({}) },
    { ...logRecord, traceId: "" },
  ];
  expect((await sendLogs(faulty)).partialSuccess).toMatchObject({
    rejectedLogRecords: 3,
    errorMessage: expect.stringContaining("thumb must be up or down"),
  });
});

test("an erasure deletes the user's feedback on all traces, and a deleted trace loses its feedback", async () => {
  const [first, second] = [await newTrace(), await newTrace()];
  for (const id of [first, second]) {
    await record({ id, thumb: DOWN, comment: "Call me", user: "erased" });
    await record({ id, thumb: UP, user: "kept" });
  }
  const work = harness.client(TraceWorkService);
  await work.prepareErasure({ endUserKey: endUserKey(tenant.applicationId, "erased") }, caller);
  for (const id of [first, second]) expect((await readFeedback(id)).map(({ user }) => user)).toEqual(["kept"]);
  await work.eraseTraces({ traceIds: [first] }, caller);
  const left = await harness.database.sql("SELECT trace_id FROM traces.feedback WHERE trace_id = ANY ($1)", [
    [first, second],
  ]);
  expect(left).toEqual([{ trace_id: second }]);
});
