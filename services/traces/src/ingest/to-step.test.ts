import { fromJson, type JsonValue, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { timestampFromDate, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { type IngestEventSchema, IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall } from "@ems/test-support";
import { describe, expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const call = testCall(harness.tenant);
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);

type Event = MessageInitShape<typeof IngestEventSchema>;
const stored = async (event: Event) => {
  const {
    data: [result],
  } = await ingest.ingestEvents({ events: [event] }, call);
  expect(result).toMatchObject({ success: true });
  const { data } = await traces.getTrace({ id: result?.id ?? "" }, call);
  if (data === undefined) throw new Error("no trace");
  return data;
};
const any = (json: JsonValue) => fromJson(ValueSchema, json);
const json = (value: Value | undefined) => value && toJson(ValueSchema, value);
const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 0, 1, 0, 0, second)));

describe("payloads are returned as text", () => {
  test.each<[string, Event, object]>([
    [
      "objects as JSON",
      { type: "tool", toolInput: any({ a: [1] }), toolOutput: any("out") },
      { toolInput: '{"a":[1]}', toolOutput: "out" },
    ],
    [
      "generic ones by the kind's names",
      { type: "tool", input: any("i"), output: any([1]) },
      { toolInput: "i", toolOutput: "[1]" },
    ],
    [
      "a retriever's",
      { type: "retriever", query: any("q"), result: any([{ id: 1 }]) },
      { query: "q", result: '[{"id":1}]' },
    ],
    ["a log's content", { type: "log", content: any("c") }, { content: "c" }],
    ["a log's generic input", { type: "log", input: any("c") }, { content: "c" }],
    ["an agent's", { type: "agent", input: any({}), output: any("x") }, { input: "{}", output: "x" }],
    [
      "a model's answer, wrapped when it is no JSON",
      { type: "llm", event: "end", modelId: "m", output: any("hi") },
      { output: '{"message":"hi"}' },
    ],
    [
      "a model's answer that is JSON",
      { type: "llm", event: "end", modelId: "m", output: any('[{"a": 1}]') },
      { output: '[{"a": 1}]', event: "end" },
    ],
    [
      "an evaluator's explanation",
      { type: "evaluator", evaluationExplanation: any(["x"]), evaluationScore: 0.5 },
      { evaluationExplanation: '["x"]', evaluationScore: 0.5 },
    ],
    ["a kind's required fields, if empty", { type: "retriever" }, { query: "", result: "" }],
    ["a model call's required fields", { type: "llm" }, { event: "start", modelId: "", input: "" }],
  ])("%s", async (_, event, fields) => {
    expect((await stored(event)).steps).toMatchObject([fields]);
  });

  test("null counts as not set", async () => {
    const [step] = (await stored({ type: "agent", input: any(null), metadata: any(null) })).steps;
    expect([step?.input, step?.metadata]).toEqual([undefined, undefined]);
  });

  test.each<[JsonValue, JsonValue]>([
    ["plain", { raw: "plain" }],
    ['{"a": 1}', { a: 1 }],
    ["[1]", [1]],
    ["3", { raw: "3" }],
    ['["\\u0000"]', ["\ufffd"]],
    [
      [1, { b: null }],
      [1, { b: null }],
    ],
  ])("metadata and parameters %j are %j", async (sent, answered) => {
    const { metadata, steps } = await stored({
      type: "trace",
      metadata: any(sent),
      steps: [{ type: "log", metadata: any(sent), params: any(sent) }],
    });
    expect([metadata, steps[0]?.metadata, steps[0]?.params].map(json)).toEqual([answered, answered, answered]);
  });
});

test("every field of every kind is returned", async () => {
  const common = {
    name: "n",
    status: "timeout",
    statusCode: "504",
    error: "late",
    group: "g",
    costAmount: 0.25,
    timestamp: at(1),
    endTime: at(2),
    durationMs: 1000,
  };
  const own = [
    {
      type: "llm",
      event: "end",
      modelId: "m",
      finishReason: "stop",
      usage: { promptTokens: 1n, completionTokens: 2n },
    },
    { type: "tool", toolCallId: "call_1" },
    ...["retriever", "reranker", "agent", "embedding", "log", "request", "response"].map((type) => ({ type })),
    { type: "guardrail", guardrailAction: "block", guardrailTriggered: true, guardrailType: "pii" },
    { type: "evaluator", evaluationLabel: "good", evaluationScore: 1, evaluatorName: "judge" },
    { type: "group", key: "g", guardrailAction: "block", guardrailTriggered: false, guardrailType: "pii" },
  ];
  const { steps } = await stored({ type: "trace", steps: own.map((fields) => ({ ...common, ...fields })) });
  expect(steps).toMatchObject(own.map((fields) => ({ ...common, durationMs: 1000n, ...fields })));
});

test("the model's price gives the cost of a step that does not state it", async () => {
  const usage = { promptTokens: 1_000_000n, completionTokens: 0n };
  const trace = await stored({ type: "llm", modelId: "gpt-4o-mini", usage });
  expect(trace.totalCost).toBeGreaterThan(0);
  expect(trace.steps[0]?.costAmount).toBe(trace.totalCost);
  expect((await stored({ type: "llm", modelId: "nobody's", usage })).steps[0]?.costAmount).toBeUndefined();
});
