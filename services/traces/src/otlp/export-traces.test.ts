import { type JsonObject, toBinary, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { ingestRowsMax } from "@ems/proto/limits";
import { ExportTraceServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { testCall } from "@ems/test-support";
import { keyValues, request } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { decode } from "./wire/decode.ts";

const harness = await tracesHarness();
const caller = testCall(harness.tenant);
const otlp = harness.client(OtlpService);
const traces = harness.client(TraceService);

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = (spanId: number, more: JsonObject = {}): JsonObject => ({
  traceId,
  spanId: String(spanId).padStart(16, "0"),
  name: `span ${spanId}`,
  startTimeUnixNano: `${1772443800 + spanId}000000000`,
  ...more,
});
const post = async (json: JsonObject) => {
  const body = { payload: Buffer.from(JSON.stringify(json)), contentType: "application/json" };
  const { payload, rows } = await otlp.exportTraces(body, caller);
  return { answer: JSON.parse(Buffer.from(payload).toString()), rows };
};
const send = async (...spans: JsonObject[]) => (await post({ resourceSpans: [{ scopeSpans: [{ spans }] }] })).answer;
const stored = async () => {
  const { data } = await traces.listTraces({ referenceId: traceId }, caller);
  return (await traces.getTrace({ id: data[0]?.id ?? "" }, caller)).data;
};

test("a child may arrive before its parent, whose start is then the trace's; repeated spans change nothing", async () => {
  const child = span(2, { parentSpanId: "0000000000000001" });
  expect(await send(child)).toEqual({});
  expect((await stored())?.steps.map(({ name }) => name)).toEqual(["span 2"]);
  expect(await send(span(1), child)).toEqual({});
  await send(span(1), child);
  const trace = await stored();
  expect(trace).toMatchObject({ traceId: "4bf92f35-77b3-4da6-a3ce-929d0e0e4736", referenceId: traceId });
  const [parent, ...children] = trace?.steps ?? [];
  expect([parent?.name, children]).toEqual([
    "span 1",
    [expect.objectContaining({ name: "span 2", parentId: parent?.id })],
  ]);
  expect(trace?.timestamp).toEqual(parent?.timestamp);
});

test("spans that cannot be stored are counted, with the reasons; the others are stored", async () => {
  const answer = await send(
    span(3),
    { ...span(4), spanId: "x" },
    { ...span(5), spanId: "y" },
    { ...span(6), traceId: 1 },
  );
  expect(answer).toMatchObject({
    partialSuccess: {
      rejectedSpans: 3,
      errorMessage: expect.stringMatching(/^spanId must be [^;]+; traceId must be [^;]+$/),
    },
  });
  expect((await stored())?.steps.map(({ name }) => name)).toEqual(["span 1", "span 2", "span 3"]);
});

/** Characters that PostgreSQL rejects, as exporters may send them: raw, or as JSON escapes within a text. */
const unstorable: [where: string, span: JsonObject, field: string, stored: string, replaced: bigint][] = [
  ["a message", chat("gen_ai.input.messages", '[{"role":"user","content":"a\\u0000"}]'), "input", "a\ufffd", 1n],
  [
    "an earlier prompt",
    chat("gen_ai.prompt", '[{"role":"user","content":"\\u0000\\u0000"}]'),
    "input",
    "\ufffd\ufffd",
    2n,
  ],
  ["an object", chat("gen_ai.prompt", '{"a\\u0000":"\\ud800"}'), "input", '[{"a\ufffd":"\ufffd"}]', 2n],
  [
    "arguments of a tool",
    span(1, {
      attributes: keyValues({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.call.arguments": '{"a":["\\u0000"]}',
      }),
    }),
    ...(["toolInput", '{"a":["\ufffd"]}', 1n] as const),
  ],
  [
    "JSON in JSON",
    chat(
      "gen_ai.output.messages",
      JSON.stringify([{ role: "assistant", tool_calls: [{ arguments: '{"a":"\\u0000"}' }] }]),
    ),
    ...(["output", '{"role":"assistant","tool_calls":[{"arguments":{"a":"\ufffd"}}]}', 1n] as const),
  ],
  ["a name", { ...chat("a", "b"), name: "chat\0" }, "name", "chat\ufffd", 1n],
  [
    "a message of an error",
    { ...chat("a", "b"), status: { code: 2, message: "\ud800x\0" } },
    "error",
    "\ufffdx\ufffd",
    4n,
  ],
  [
    "an event",
    {
      ...chat("a", "b"),
      events: [{ name: "gen_ai.choice", attributes: keyValues({ message: '{"content":"\\udc00\\u0000"}' }) }],
    },
    ...(["output", "\ufffd\ufffd", 2n] as const),
  ],
  [
    "a link",
    { ...chat("a", "b"), links: [{ traceId, spanId: "00f067aa0ba902b7", attributes: keyValues({ "k\0": "\0" }) }] },
    ...(["status", "pending", 2n] as const),
  ],
];

function chat(name: string, value: string): JsonObject {
  return span(1, { attributes: keyValues({ "gen_ai.operation.name": "chat", [name]: value }) });
}

test.for(unstorable)("%s with characters that cannot be stored is stored, and they are counted", async (row) => {
  const [, bad, field, text, replaced] = row;
  const digits = newId().replaceAll("-", "");
  const [before, after] = [span(1, { traceId: digits }), span(2, { traceId: digits })];
  expect(await send(before, { ...bad, traceId: digits, spanId: "00000000000000bb" }, after)).toEqual({});
  const { data } = await traces.getTrace({ id: digits }, caller);
  const step = data?.steps.find(({ replacedCharacters }) => replacedCharacters !== undefined);
  expect([data?.steps.length, step?.[field as "input"], step?.replacedCharacters]).toEqual([3, text, replaced]);
  // The error's status is also in the metadata.
  expect(data?.replacedCharacters).toBe(replaced);
  // Sending the span a second time does not increase the count.
  await send({ ...bad, traceId: digits, spanId: "00000000000000bb" });
  expect((await traces.getTrace({ id: digits }, caller)).data?.replacedCharacters).toBe(replaced);
});

test("trace data from spans is stored without such characters, in one request or several", async () => {
  const digits = newId().replaceAll("-", "");
  const attributes = keyValues({ "user.id": "ada\0", metadata: '{"plan":"\\u0000"}', "tag.tags": ["a\0"] });
  await send(span(1, { traceId: digits, attributes }), span(2, { traceId: digits }));
  await send(span(3, { traceId: digits }));
  const { data } = await traces.getTrace({ id: digits }, caller);
  expect(data).toMatchObject({ user: "ada\ufffd" });
  expect(JSON.stringify(data?.metadata && toJson(ValueSchema, data.metadata))).toBe(
    '{"plan":"\ufffd","user.id":"ada\ufffd","tags":["a\ufffd"]}',
  );
  // Two are in the step's attributes, where the JSON text stays text, and three in the trace.
  expect(data?.replacedCharacters).toBe(5n);
});

test("a request without spans is no error; a malformed one gets a warning", async () => {
  expect(await post({})).toEqual({ answer: {}, rows: 0n });
  expect((await post({ resourceSpans: 1 })).answer).toEqual({
    partialSuccess: { rejectedSpans: 0, errorMessage: "resourceSpans must be an array" },
  });
});

test("the rows of a request are its spans, and have a limit", async () => {
  const spans = (count: number) => ({ resourceSpans: [{ scopeSpans: [{ spans: Array(count).fill({}) }] }] });
  expect((await post(spans(3))).rows).toBe(3n);
  await expect(post(spans(ingestRowsMax + 1))).rejects.toThrow(`at most ${ingestRowsMax}`);
});

test("spans of one call count once, even if the second one arrives in a later request", async () => {
  const id = "a".repeat(31);
  const call = (traceDigit: string, spanId: number, responseId: string, tokens: number) =>
    span(spanId, {
      traceId: id + traceDigit,
      attributes: keyValues({
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": "gpt-4o-mini",
        "gen_ai.response.id": responseId,
        "gen_ai.usage.input_tokens": tokens,
      }),
    });
  await send(call("1", 1, "r1", 1_000_000), call("2", 1, "r1", 5));
  await send(call("1", 2, "r1", 1_000_000), call("1", 3, "r2", 1));
  const { data } = await traces.getTrace({ id: `${id}1` }, caller);
  expect(data).toMatchObject({ stepCount: 3n, totalPromptTokens: 1_000_001n, totalCost: 0.15000015 });
  expect(data?.steps.map(({ usage }) => usage?.promptTokens)).toEqual([1_000_000n, undefined, 1n]);
});

test("protobuf and JSON give the same result; a later request adds to the trace's metadata, test and start", async () => {
  const digits = "b".repeat(32);
  const testId = "0d63e5f0-3c0f-4b7d-9b1e-6f0a5d1f2c11";
  const encoded = (json: JsonObject) => {
    const { message } = decode(ExportTraceServiceRequestSchema, Buffer.from(JSON.stringify(json)), "application/json");
    return { payload: toBinary(ExportTraceServiceRequestSchema, message), contentType: "application/x-protobuf" };
  };
  const child = span(2, { traceId: digits, attributes: keyValues({ "session.id": "s-1" }) });
  const root = span(1, { traceId: digits, attributes: keyValues({ "user.id": "u-1", "avido.test.id": testId }) });
  const answer = await otlp.exportTraces(encoded(request([child], { "service.name": "bank" })), caller);
  expect(answer).toMatchObject({ payload: new Uint8Array(), rows: 1n });
  await otlp.exportTraces(encoded(request([root], { "service.name": "other" })), caller);
  const { data } = await traces.getTrace({ id: digits }, caller);
  expect(data).toMatchObject({ testId, referenceId: digits });
  expect(data?.metadata && toJson(ValueSchema, data.metadata)).toEqual({
    "service.name": "bank",
    "session.id": "s-1",
    "user.id": "u-1",
  });
  expect(data?.timestamp?.seconds).toBe(1772443801n);
});
