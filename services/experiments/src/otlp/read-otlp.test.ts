import { type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { writeTimestamp } from "@ems/kit/json/timestamp";
import { describe, expect, test } from "vitest";
import { type Rejection, type TraceUpdate, traceUuid } from "../traces/index.ts";
import { readOtlp } from "./read-otlp.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const start = "1772443800000000000";
const good = { traceId, spanId, name: "work", startTimeUnixNano: start, endTimeUnixNano: "1772443800840500000" };

const any = (value: unknown): JsonObject => {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { intValue: String(value) };
  return { boolValue: value === true };
};
const attributes = (values: Record<string, unknown>) =>
  Object.entries(values).map(([key, value]) => ({ key, value: any(value) }));
const exported = (...spans: JsonValue[]): JsonObject => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const read = (...spans: JsonValue[]) => readOtlp(exported(...spans)).updates;
const stepOf = (update: TraceUpdate | Rejection | undefined) => {
  const step = update !== undefined && "steps" in update ? update.steps[0] : undefined;
  if (step === undefined) throw new Error(JSON.stringify(update));
  return step;
};
const metadataOf = ({ metadata }: { metadata?: Value | undefined }) => (metadata ? toJson(ValueSchema, metadata) : {});
const stepWith = (values: Record<string, unknown>, more: JsonObject = {}) =>
  stepOf(read({ ...good, ...more, attributes: attributes(values) })[0]);

test.each([
  ["chat", "llm"],
  ["text_completion", "llm"],
  ["generate_content", "llm"],
  ["execute_tool", "tool"],
  ["embeddings", "retriever"],
  ["retrieval", "retriever"],
  ["invoke_agent", "group"],
  ["create_agent", "group"],
  ["constructor", "group"],
  [undefined, "group"],
])("the operation %s is a step of the type %s", (operation, type) => {
  expect(stepWith(operation === undefined ? {} : { "gen_ai.operation.name": operation }).type).toBe(type);
});

test("a span is a step with its time and duration; an open one has started", () => {
  const closed = stepOf(read(good)[0]);
  expect(closed).toMatchObject({ status: "success", name: "work", durationMs: 841n });
  expect(closed.timestamp && writeTimestamp(closed.timestamp)).toBe("2026-03-02T09:30:00.000Z");
  for (const endTimeUnixNano of ["0", 0, null]) {
    const open = stepOf(read({ ...good, endTimeUnixNano })[0]);
    expect(open.durationMs).toBeUndefined();
  }
});

test.each([
  [{ "gen_ai.usage.input_tokens": 7, "gen_ai.usage.output_tokens": 2 }, [7n, 2n]],
  [{ "gen_ai.usage.prompt_tokens": 7, "gen_ai.usage.completion_tokens": 2 }, [7n, 2n]],
  [{ "gen_ai.usage.input_tokens": 7, "gen_ai.usage.prompt_tokens": 9 }, [7n, 0n]],
  [{ "gen_ai.usage.input_tokens": -1, "gen_ai.usage.output_tokens": 2 ** 31 }, [0n, 0n]],
  [{ "gen_ai.usage.input_tokens": "many" }, [0n, 0n]],
])("tokens of %j", (usage, [input, output]) => {
  const counted = input || output ? { promptTokens: input, completionTokens: output } : undefined;
  expect(stepWith({ "gen_ai.operation.name": "chat", ...usage }).usage).toEqual(
    counted && expect.objectContaining(counted),
  );
});

test("an agent's sum of its calls' tokens is not counted again", () => {
  const usage = { "gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 7 };
  const step = stepWith(usage);
  expect(step.usage).toBeUndefined();
  expect(metadataOf(step)).toMatchObject(usage);
});

test.each<[string, JsonValue]>([
  ['[{"role": "user"}]', [{ role: "user" }]],
  ["What is it?", "What is it?"],
  ["[not JSON", "[not JSON"],
  ['["\\u0000"]', '["\\u0000"]'],
  ['["\\ud800"]', '["\\ud800"]'],
  ["[1e999]", "[1e999]"],
  ['{"a": [-1e999]}', '{"a": [-1e999]}'],
  [`${"[".repeat(24)}${"]".repeat(24)}`, JSON.parse(`${"[".repeat(24)}${"]".repeat(24)}`)],
  [`${"[".repeat(26)}${"]".repeat(26)}`, `${"[".repeat(26)}${"]".repeat(26)}`],
])("content %j is stored as the JSON in it, if it is storable", (text, stored) => {
  const step = stepWith({ "gen_ai.input.messages": text });
  expect(step.input).toBe(typeof stored === "string" ? stored : JSON.stringify(stored));
  expect(metadataOf(step)).not.toHaveProperty(["gen_ai.input.messages"]);
});

test("a deeply nested text needs no recursion", () => {
  expect(stepWith({ "gen_ai.prompt": "[".repeat(500_000) + "]".repeat(500_000) }).input).toHaveLength(1_000_000);
});

test("a tool is called by its name; its arguments and result are input and output", () => {
  const step = stepWith({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "weather",
    "gen_ai.tool.call.arguments": '{"city": "Oslo"}',
    "gen_ai.tool.call.result": "rain",
  });
  expect(step.name).toBe("weather");
  expect(step).toMatchObject({ toolInput: '{"city":"Oslo"}', toolOutput: "rain" });
});

test("all other fields of a span are metadata", () => {
  const span = {
    ...good,
    kind: 3,
    status: { code: 2, message: "timeout" },
    unknown: { field: 1 },
    attributes: [
      { key: "gen_ai.request.model", value: { stringValue: "m" } },
      {
        key: "list",
        value: { arrayValue: { values: [{ intValue: "1" }, { doubleValue: 1.5 }, { boolValue: false }] } },
      },
      { key: "map", value: { kvlistValue: { values: [{ key: "a", value: { bytesValue: "AA==" } }] } } },
      { key: "big", value: { intValue: "9223372036854775807" } },
      { key: "nothing", value: {} },
      { key: "__proto__", value: { boolValue: true } },
      { no: "key" },
      null,
    ],
    events: [{ name: "exception", timeUnixNano: "1", attributes: attributes({ "exception.type": "Timeout" }) }],
  };
  const scope = { name: "my.library", version: "1.2" };
  const [update] = readOtlp({ resourceSpans: [{ scopeSpans: [{ scope, spans: [span] }] }] }).updates;
  expect(Object.entries(metadataOf(stepOf(update)) as object)).toEqual(
    Object.entries({
      "gen_ai.request.model": "m",
      list: [1, 1.5, false],
      map: { a: "AA==" },
      big: "9223372036854775807",
      nothing: null,
      ["__proto__"]: true,
      "otel.span_id": spanId,
      "otel.span_kind": "CLIENT",
      "otel.status_code": "ERROR",
      "otel.status_description": "timeout",
      "otel.scope.name": "my.library",
      "otel.scope.version": "1.2",
      "otel.events": [{ name: "exception", timeUnixNano: "1", attributes: { "exception.type": "Timeout" } }],
    }),
  );
});

describe("ids", () => {
  test.each([
    ["4bf92f3577b34da6a3ce929d0e0e4736", "4bf92f35-77b3-4da6-a3ce-929d0e0e4736"],
    ["ffffffffffffffffffffffffffffffff", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
    // Version 0, variant 0: not a UUID of ours, so one is made.
    [
      "4bf92f3577b30da603ce929d0e0e4736",
      expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/),
    ],
  ])("the trace %s is %s, always", (digits, uuid) => {
    expect(traceUuid(digits)).toEqual(uuid);
    expect(traceUuid(digits)).toBe(traceUuid(digits));
  });

  test("a span names its parent by the same id that the parent has, whatever the case", () => {
    const child = {
      ...good,
      traceId: traceId.toUpperCase(),
      spanId: "0000000000000001",
      parentSpanId: spanId.toUpperCase(),
    };
    const [parent, other] = read(good, child).map(stepOf);
    expect(other?.parentId).toBe(parent?.id);
    for (const parentSpanId of ["", "0000000000000000"]) {
      expect(stepOf(read({ ...good, parentSpanId })[0]).parentId).toBeUndefined();
    }
  });

  test("the same span of another trace is another step", () => {
    const [one, other] = read(good, { ...good, traceId: "a".repeat(32) }).map(stepOf);
    expect(one?.id).not.toBe(other?.id);
  });
});

test("spans of one trace make one trace: of the first one's resource", () => {
  const resource = { attributes: attributes({ "service.name": "bank" }) };
  const later = { ...good, spanId: "0000000000000001" };
  const earlier = { ...good, spanId: "0000000000000002", startTimeUnixNano: "1772443799000000000" };
  const request = {
    resourceSpans: [{ resource, scopeSpans: [{ spans: [later] }] }, { scopeSpans: [{ spans: [earlier] }] }],
  };
  const traces = readOtlp(request).updates.map((update) => ("trace" in update ? update.trace : undefined));
  expect(traces[1]).toBe(traces[0]);
  expect(traces[0]).toMatchObject({ metadata: { "service.name": "bank" }, referenceId: traceId });
});

test("a resource's attributes are left out when they exceed the limit", () => {
  const resource = { attributes: attributes({ "process.command_line": "x".repeat(20_000) }) };
  const [update] = readOtlp({ resourceSpans: [{ resource, scopeSpans: [{ spans: [good] }] }] }).updates;
  expect(update).toMatchObject({ trace: { metadata: {} } });
});

test.each<[string, JsonValue, RegExp]>([
  ["no object", 1, /span must be an object/],
  ["no trace id", { ...good, traceId: "" }, /^traceId/],
  ["a zero trace id", { ...good, traceId: "0".repeat(32) }, /^traceId/],
  ["a short trace id", { ...good, traceId: "abc" }, /^traceId/],
  ["a trace id in base64", { ...good, traceId: "S/kvNXezTaajzpKdDg5HNg==" }, /^traceId/],
  ["no span id", { ...good, spanId: null }, /^spanId/],
  ["no start", { ...good, startTimeUnixNano: "0" }, /^startTimeUnixNano/],
  ["a start that is no number", { ...good, startTimeUnixNano: "now" }, /^startTimeUnixNano/],
  ["a start of more than 64 bits", { ...good, startTimeUnixNano: String(2n ** 64n) }, /^startTimeUnixNano/],
  ["an end before its start", { ...good, endTimeUnixNano: "1" }, /end before it starts/],
])("a span with %s is refused, the others are not", (_, span, error) => {
  const [bad, fine] = read(span, good);
  expect(bad).toEqual({ error: expect.stringMatching(error) });
  expect(stepOf(fine).name).toBe("work");
});

test.each<[JsonObject, string[]]>([
  [{}, []],
  [{ resourceSpans: null }, []],
  [{ resourceSpans: {} }, ["resourceSpans must be an array"]],
  [{ resourceSpans: [{ scopeSpans: 1 }] }, ["scopeSpans must be an array"]],
  [{ resourceSpans: [{ scopeSpans: [{ spans: "x" }, null] }, 1] }, ["spans must be an array"]],
])("%j has no spans", (payload, warnings) => {
  expect(readOtlp(payload)).toEqual({ updates: [], warnings });
});
