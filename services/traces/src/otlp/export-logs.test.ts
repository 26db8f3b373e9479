import type { JsonObject } from "@bufbuild/protobuf";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { anyValue, keyValues, otlpSpan, request } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const caller = testCall(harness.tenant);
const otlp = harness.client(OtlpService);
const traces = harness.client(TraceService);

let last = 0;
/** A model call whose prompts are not in the span. */
const call = () => {
  const traceId = (++last).toString(16).padStart(32, "c");
  const span = otlpSpan({ "gen_ai.system": "openai", "gen_ai.request.model": "gpt-4o" }, { traceId });
  return { traceId, span };
};
const record = (span: JsonObject, name: string, body: unknown, more: JsonObject = {}): JsonObject => ({
  timeUnixNano: String(1772443800000000000n + BigInt(++last)),
  traceId: span.traceId ?? "",
  spanId: span.spanId ?? "",
  body: anyValue(body),
  attributes: keyValues({ "event.name": name, "gen_ai.system": "openai" }),
  ...more,
});
const post = (json: JsonObject, by = caller) => ({
  body: { payload: Buffer.from(JSON.stringify(json)), contentType: "application/json" },
  by,
});
const sendSpans = (spans: JsonObject[]) => {
  const { body, by } = post(request(spans));
  return otlp.exportTraces(body, by);
};
const sendLogs = async (logRecords: JsonObject[], by = caller) => {
  const { body } = post({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  const { payload, rows } = await otlp.exportLogs(body, by);
  return { answer: JSON.parse(Buffer.from(payload).toString()), rows };
};
const readStep = async (traceId: string) => (await traces.getTrace({ id: traceId }, caller)).data?.steps[0];
const dialogue = (span: JsonObject) => [
  record(span, "gen_ai.system.message", { content: "Be brief." }),
  record(span, "gen_ai.user.message", { content: "¿Qué? 🌧" }),
  record(span, "gen_ai.choice", { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Nada" } }),
];
const expected = {
  input: '[{"role":"system","content":"Be brief."},{"role":"user","content":"¿Qué? 🌧"}]',
  output: "Nada",
  finishReason: "stop",
};

test("unstorable characters of records are replaced and counted once, whichever of span and record is first", async () => {
  for (const isSpanFirst of [true, false]) {
    const { traceId, span } = call();
    const records = [
      record(span, "gen_ai.user.message", { content: "a\0" }),
      record(span, "gen_ai.choice", '{"message":{"content":"\\u0000\\ud800"},"finish_reason":"stop\\u0000"}'),
    ];
    if (isSpanFirst) await sendSpans([span]);
    expect((await sendLogs(records)).answer).toEqual({});
    if (!isSpanFirst) await sendSpans([span]);
    await sendLogs(records);
    const answered = await readStep(traceId);
    expect(answered).toMatchObject({ input: "a\ufffd", output: "\ufffd\ufffd", finishReason: "stop\ufffd" });
    // The finish reason is also part of the record's message, so its characters count twice.
    expect(answered?.replacedCharacters).toBe(4n);
    const { data } = await traces.getTrace({ id: traceId }, caller);
    expect(data?.replacedCharacters).toBe(4n);
  }
});

test("records after their span fill its step; repeated records change nothing", async () => {
  const { traceId, span } = call();
  await sendSpans([span]);
  const records = dialogue(span);
  expect(await sendLogs(records)).toEqual({ answer: {}, rows: 3n });
  expect(await readStep(traceId)).toMatchObject(expected);
  await sendLogs(records);
  await sendSpans([span]);
  expect(await readStep(traceId)).toMatchObject(expected);
});

test("records before their span fill its step when the span arrives", async () => {
  const { traceId, span } = call();
  await sendLogs(dialogue(span));
  await sendSpans([span]);
  expect(await readStep(traceId)).toMatchObject(expected);
});

test("records of one span in several requests, before and after it, are joined in the order of their times", async () => {
  const { traceId, span } = call();
  const [system, user, choice] = dialogue(span);
  await sendLogs([user ?? {}]);
  await sendSpans([span]);
  expect(await readStep(traceId)).toMatchObject({ input: "¿Qué? 🌧" });
  await sendLogs([choice ?? {}, system ?? {}]);
  expect(await readStep(traceId)).toMatchObject(expected);
});

test("concurrent spans and records are joined", async () => {
  const calls = Array.from({ length: 8 }, call);
  await Promise.all(calls.flatMap(({ span }) => [sendSpans([span]), sendLogs(dialogue(span))]));
  for (const { traceId } of calls) expect(await readStep(traceId)).toMatchObject(expected);
});

test("a span's own payloads are kept", async () => {
  const { traceId, span } = call();
  const own = otlpSpan(
    { "gen_ai.operation.name": "chat", "gen_ai.prompt": "mine" },
    { traceId, spanId: span.spanId ?? "" },
  );
  await sendSpans([own]);
  await sendLogs(dialogue(span));
  expect(await readStep(traceId)).toMatchObject({ input: "mine", output: "Nada" });
});

test("other records have no effect; a prompt that names no span is counted", async () => {
  const { span } = call();
  const other = record(span, "app.started", "hello");
  const plain = { body: { stringValue: "a line" }, severityNumber: "SEVERITY_NUMBER_INFO" };
  expect(await sendLogs([other, plain])).toEqual({ answer: {}, rows: 2n });
  const lost = record({}, "gen_ai.user.message", { content: "Hi" });
  expect(await sendLogs([lost, plain])).toMatchObject({
    answer: { partialSuccess: { rejectedLogRecords: 1, errorMessage: expect.stringContaining("must name its trace") } },
  });
});

test("another tenant's records do not change a step", async () => {
  const { traceId, span } = call();
  await sendSpans([span]);
  await sendLogs(dialogue(span), testCall(testTenant()));
  expect((await readStep(traceId))?.output).toBeUndefined();
});
