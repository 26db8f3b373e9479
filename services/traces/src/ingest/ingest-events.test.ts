import { fromJson, type JsonValue, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { timestampFromDate, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { type IngestEventSchema, IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceOrder, TraceService } from "@ems/proto/experiments/v1/trace_service";
import { ingestRowsMax, traceStepsMax } from "@ems/proto/limits";
import { testCall } from "@ems/test-support";
import { DataSource } from "typeorm";
import { describe, expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const { tenant, database } = harness;
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);

type Event = MessageInitShape<typeof IngestEventSchema>;
const send = async (events: Event[], by = tenant) => (await ingest.ingestEvents({ events }, testCall(by))).data;
const read = async (id: string | undefined) => {
  const { data } = await traces.getTrace({ id: id ?? "" }, testCall(tenant));
  if (data === undefined) throw new Error("no trace");
  return data;
};
const stored = async (event: Event) => {
  const [result] = await send([event]);
  expect(result).toMatchObject({ success: true });
  return read(result?.id);
};
const rows = async () =>
  (
    await database.sql("SELECT (SELECT count(*)::int FROM traces.trace), count(*)::int AS steps FROM traces.trace_step")
  )[0];
const any = (json: JsonValue) => fromJson(ValueSchema, json);
const json = (value: Value | undefined) => value && toJson(ValueSchema, value);
const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 0, 1, 0, 0, second)));

test("characters that cannot be stored are replaced in every text except ids, and counted", async () => {
  const escaped = '{"a":"\\u0000"}';
  const trace = await stored({
    type: "trace",
    referenceId: "order-\0",
    metadata: any({ "user\0": "\0", text: '["\0"]' }),
    steps: [
      { type: "llm", name: "a\0", input: any("\0"), output: any(["\0", { "k\0": "v" }]), params: any(escaped) },
      { type: "log", content: any('[{"content":"\\ud800\\u0000"}]'), error: "\0\0" },
    ],
  });
  expect(trace.steps).toMatchObject([
    { name: "a\ufffd", input: "\ufffd", output: '["\ufffd",{"k\ufffd":"v"}]', replacedCharacters: 5n },
    { content: '[{"content":"\ufffd\ufffd"}]', error: "\ufffd\ufffd", replacedCharacters: 4n },
  ]);
  expect(json(trace.steps[0]?.params)).toEqual({ a: "\ufffd" });
  expect(json(trace.metadata)).toEqual({ "user\ufffd": "\ufffd", text: '["\ufffd"]' });
  expect([trace.referenceId, trace.replacedCharacters]).toEqual(["order-\ufffd", 9n + 4n]);
});

test("a trace is stored with its nested steps: flat, ordered by time, with exact totals", async () => {
  const testId = newId();
  const trace = await stored({
    type: "trace",
    referenceId: "order-1",
    testId,
    metadata: any({ user: "u" }),
    steps: [
      { type: "log", name: "late", timestamp: at(9), tokens: { output: 1n } },
      {
        type: "request",
        name: "root",
        timestamp: at(1),
        durationMs: 1.5,
        costAmount: 0.1,
        steps: [
          {
            type: "llm",
            name: "b",
            timestamp: at(3),
            usage: { promptTokens: 5n, completionTokens: 7n },
            costAmount: 0.2,
          },
          { type: "tool", name: "a", timestamp: at(2), endTime: at(12), status: "error" },
        ],
      },
    ],
  });
  expect(trace).toMatchObject({
    traceId: trace.id,
    applicationId: tenant.applicationId,
    type: "request",
    testId,
    tokens: { input: 5n, output: 8n },
    totalPromptTokens: 5n,
    totalCompletionTokens: 8n,
    referenceId: "order-1",
    timestamp: at(1),
    totalDurationMs: 11_000n,
    totalCost: 0.3,
    stepCount: 4n,
    hasError: true,
  });
  expect(json(trace.metadata)).toEqual({ user: "u" });
  const [root, a, b] = trace.steps;
  expect(trace.steps.map(({ name }) => name)).toEqual(["root", "a", "b", "late"]);
  expect([root?.parentId, a?.parentId, b?.parentId]).toEqual([undefined, root?.id, root?.id]);
  expect(root).toMatchObject({ traceId: trace.id, durationMs: 2n, status: "success", costAmount: 0.1 });
});

test("a trace without steps is a group", async () => {
  const trace = await stored({ type: "trace" });
  expect(trace).toMatchObject({ type: "group", steps: [], stepCount: 0n, totalDurationMs: 0n });
  expect(trace.timestamp).toEqual(timestampFromDate(harness.clock.now()));
  expect(json(trace.metadata)).toEqual({});
});

test("totals and evaluations of a trace event are returned unchanged, whatever its steps", async () => {
  const totals = {
    hasError: true,
    stepCount: 7n,
    totalCost: 1.25,
    totalPromptTokens: 10n,
    totalCompletionTokens: 20n,
  };
  const definition = { id: newId(), name: "d", type: "CUSTOM", application: { id: newId() } };
  const evals = [{ id: newId(), status: "COMPLETED", score: 0.5, message: null, definition }];
  const traceId = newId();
  const step = { type: "llm", usage: { promptTokens: 3n }, costAmount: 1 };
  await send([
    { type: "trace", traceId, ...totals, totalDurationMs: 99, evals, steps: [step] },
    { ...step, traceId },
  ]);
  const trace = await read(traceId);
  expect(trace).toMatchObject({ ...totals, totalDurationMs: 99n, steps: [{}, {}] });
  const dates = { createdAt: harness.clock.now().toISOString(), modifiedAt: harness.clock.now().toISOString() };
  const application = { ...definition.application, ...dates, environment: "DEV", language: "en" };
  const complete = { id: evals[0]?.id, orgId: tenant.orgId, status: "COMPLETED", score: 0.5, ...dates };
  expect(trace.evals).toEqual([{ ...complete, definition: { ...definition, ...dates, application } }]);
});

describe("events that share a trace id go to one trace, in any order", () => {
  test("a step without a trace creates one, and the response has its id", async () => {
    const [made] = await send([{ type: "log", content: any("alone") }]);
    const trace = await read(made?.id);
    expect(trace).toMatchObject({ id: made?.id, traceId: made?.id, type: "log", steps: [{ content: "alone" }] });
    const [added] = await send([{ type: "log", traceId: trace.id }]);
    expect([added?.success, added?.id]).toEqual([true, undefined]);
    expect((await read(trace.id)).stepCount).toBe(2n);
  });

  test("steps that arrive before their trace and parents are all kept", async () => {
    const [traceId, id, testId] = [newId(), newId(), newId()];
    const answers = await send([
      { type: "log", traceId, name: "child", parentId: id.toUpperCase(), timestamp: at(5) },
      { type: "trace", traceId, testId, referenceId: "r", metadata: any({ a: 1 }) },
    ]);
    expect(answers).toMatchObject([{ id: traceId }, { id: traceId }]);
    harness.clock.advance(1_000);
    await send([
      { type: "agent", traceId: traceId.toUpperCase(), id: id.toUpperCase(), name: "root", timestamp: at(2) },
    ]);
    await send([{ type: "trace", traceId, testId: newId(), metadata: any({ a: 2, b: 3 }) }]);
    const trace = await read(traceId);
    expect(trace).toMatchObject({ testId, referenceId: "r", type: "agent", timestamp: at(2), totalDurationMs: 3_000n });
    expect(json(trace.metadata)).toEqual({ a: 1, b: 3 });
    expect(trace.steps).toMatchObject([
      { name: "root", id },
      { name: "child", parentId: id },
    ]);
    expect((await traces.getTraceByTest({ id: testId }, testCall(tenant))).data?.id).toBe(traceId);
    // The earlier start also moved the trace in the counts that lists use.
    const list = await traces.listTraces(
      { referenceId: "r", orderBy: TraceOrder.TIMESTAMP, endDate: at(2) },
      testCall(tenant),
    );
    expect(list.data.map((trace) => trace.id)).toEqual([traceId]);
  });

  test("an explicit timestamp is kept; without one, the trace has the earliest step's timestamp", async () => {
    const traceId = newId();
    await send([{ type: "trace", traceId, timestamp: at(4) }]);
    await send([{ type: "log", traceId, timestamp: at(1) }]);
    expect((await read(traceId)).timestamp).toEqual(at(4));
  });

  test("a 32-digit OpenTelemetry trace id is a valid id", async () => {
    const [digits, invalid] = [newId().replaceAll("-", ""), "4bf92f3577b30da6a3ce929d0e0e4736"];
    for (const traceId of [digits, invalid]) {
      const [made] = await send([{ type: "log", traceId }]);
      expect((await read(traceId.toUpperCase())).id).toBe(made?.id);
    }
  });

  test("steps may omit the event's trace id, and ids of steps need not be UUIDs", async () => {
    const traceId = newId();
    const trace = await stored({
      type: "trace",
      steps: [
        { type: "group", id: "one", traceId },
        { type: "log", id: "two", traceId, parentId: "one" },
      ],
    });
    expect(trace).toMatchObject({ id: traceId, steps: [{ id: "one" }, { id: "two", parentId: "one" }] });
  });
});

describe("an invalid event fails alone, with a message; the others are stored", () => {
  const [traceId, stepId] = [newId(), newId()];
  const definition = { id: newId(), name: "d", type: "CUSTOM" };
  const result = { id: newId(), status: "FAILED", definition };
  const big = "x".repeat(8 * 1024 * 1024);

  test.each<[string, Event]>([
    [
      "A single step cannot have referenceId, testId, steps: move them to a trace event",
      { type: "log", referenceId: "a", testId: newId(), steps: [{ type: "log" }] },
    ],
    [
      "A single step cannot have stepCount, evals: move them to a trace event",
      { type: "log", stepCount: 1n, evals: [{}] },
    ],
    [
      "A trace event cannot have id, name, input: move them to its steps",
      { type: "trace", id: newId(), name: "", input: any("a") },
    ],
    ["toolInput: a llm step cannot have this field", { type: "llm", toolInput: any("a") }],
    [
      "steps.0.steps.1.query: a tool step cannot have this field",
      { type: "trace", steps: [{ type: "log", steps: [{ type: "log" }, { type: "tool", query: any("q") }] }] },
    ],
    [
      `steps.0.steps.0.id: Two steps of the trace have the id ${stepId}`,
      { type: "trace", steps: [{ type: "log", id: stepId, steps: [{ type: "log", id: stepId.toUpperCase() }] }] },
    ],
    [
      "steps.0.traceId: the step belongs to another trace",
      { type: "trace", traceId, steps: [{ type: "log", traceId: newId() }] },
    ],
    [
      "metadata: the metadata of a trace have at most 16 KiB",
      { type: "trace", metadata: any({ a: "x".repeat(16 * 1024) }) },
    ],
    [
      "evals: the evaluations of a trace have at most 32 KiB",
      { type: "trace", evals: [{ ...result, message: "x".repeat(32 * 1024) }] },
    ],
    ["evals.0.definition.name: Required", { type: "trace", evals: [{ ...result, definition: { id: newId() } }] }],
    ["evals.0.score: Must be from 0 to 1, the scale of CUSTOM", { type: "trace", evals: [{ ...result, score: 4 }] }],
    ["evals.1.score: Expected number", { type: "trace", evals: [result, { ...result, score: "1" }] }],
    ["A step has at most 8 MiB", { type: "log", traceId, content: any(big) }],
    ["type: Required", {}],
    ["durationMs: Number must be greater than or equal to 0", { type: "log", durationMs: -1 }],
    ["evaluationScore: Number must be less than or equal to 1", { type: "evaluator", evaluationScore: 2 }],
    ["traceId: Invalid UUID", { type: "log", traceId: "x" }],
  ])("%s", async (error, bad) => {
    await send([{ type: "trace", traceId }]);
    const before = await rows();
    const answers = await send([bad, { type: "log", traceId }]);
    expect(answers.map(({ success, error, id }) => [success, error, id])).toEqual([
      [false, error, undefined],
      [true, undefined, undefined],
    ]);
    expect(await rows()).toEqual({ ...before, steps: before?.steps + 1 });
  });
});

test("a trace has at most the maximum number of steps, in any sequence of requests", async () => {
  const traceId = newId();
  const steps = (count: number) => Array.from({ length: count }, () => ({ type: "log" }));
  const nested = Array.from({ length: 20 }, () => ({ type: "group", steps: steps(998) }));
  expect(await send([{ type: "trace", traceId, steps: nested }])).toMatchObject([{ success: true }]);
  const left = traceStepsMax - 20 * 999;
  const answers = await send([
    { type: "trace", traceId, steps: steps(left + 1).map((step) => ({ ...step, name: "more" })) },
    ...steps(left + 1).map((step) => ({ ...step, traceId })),
  ]);
  expect(answers.map(({ success }) => success)).toEqual([false, ...steps(left).map(() => true), false]);
  expect(answers.at(-1)?.error).toBe(`A trace has at most ${traceStepsMax} steps`);
});

test("totals stay exact under concurrent requests, which do not block other traces", async () => {
  const traceId = newId();
  const step = { type: "llm", traceId, costAmount: 0.1, usage: { promptTokens: 1n, completionTokens: 2n } };
  const answers = await Promise.all(Array.from({ length: 12 }, () => send([step, step])));
  expect(answers.flat().filter(({ id }) => id !== undefined)).toHaveLength(1);
  const sums = { stepCount: 24n, totalCost: 2.4, totalPromptTokens: 24n, totalCompletionTokens: 48n };
  expect(await read(traceId)).toMatchObject(sums);

  const holder = await new DataSource({ type: "postgres", url: database.superuserUrl }).initialize();
  const runner = holder.createQueryRunner();
  await runner.startTransaction();
  await runner.query("SELECT FROM traces.trace WHERE id = $1 FOR UPDATE", [traceId]);
  const waiting = send([{ type: "log", traceId }]);
  expect(await send([{ type: "trace", steps: [{ type: "log" }] }])).toMatchObject([{ success: true }]);
  await runner.rollbackTransaction();
  expect(await waiting).toMatchObject([{ success: true }]);
  await holder.destroy();
});

test("a request with more rows than the limit is rejected, nested steps included", async () => {
  const steps = Array.from({ length: 22 }, () => ({ type: "group", steps: Array(999).fill({ type: "log" }) }));
  await expect(send([{ type: "trace", steps }])).rejects.toThrow(`at most ${ingestRowsMax} traces and steps`);
});
