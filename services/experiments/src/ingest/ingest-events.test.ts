import type { MessageInitShape } from "@bufbuild/protobuf";
import { fromJson } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { type IngestEventSchema, IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceService, type TraceStep } from "@ems/proto/experiments/v1/trace_service";
import { traceStepsMax } from "@ems/proto/limits";
import { testCall, testTenant } from "@ems/test-support";
import { DataSource } from "typeorm";
import { describe, expect, test } from "vitest";
import { experimentsHarness } from "../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, database } = harness;
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);

type Event = MessageInitShape<typeof IngestEventSchema>;
const send = async (events: Event[], by = tenant) => (await ingest.ingestEvents({ events }, testCall(by))).data;
const read = async (id: string | undefined) => (await traces.getTrace({ id: id ?? "" }, testCall(tenant))).data;
const names = (steps: readonly TraceStep[] = []): unknown[] =>
  steps.map(({ name, steps: parts }) => (parts.length === 0 ? name : [name, names(parts)]));
const rows = async () =>
  (
    await database.sql(
      "SELECT (SELECT count(*)::int FROM experiments.trace), count(*)::int AS steps FROM experiments.trace_step",
    )
  )[0];
const text = (value: string) => fromJson(ValueSchema, value);

test("a trace is stored with its nested steps; tokens are summed, the root is the earliest first step", async () => {
  const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
  const [answer] = await send([
    {
      type: "trace",
      traceId: newId(),
      referenceId: "order-1",
      testId: newId(),
      metadata: { user: "u" },
      steps: [
        { type: "log", name: "late", timestamp: at(9), tokens: { output: 1n } },
        {
          type: "request",
          event: "end",
          name: "root",
          timestamp: at(1),
          durationMs: 1.5,
          input: fromJson(ValueSchema, null),
          steps: [
            { type: "llm", name: "b", timestamp: at(3), tokens: { input: 5n, output: 7n } },
            { type: "tool", name: "a", timestamp: at(2), output: fromJson(ValueSchema, { deep: [1, "x"] }) },
          ],
        },
      ],
    },
  ]);
  expect(answer).toMatchObject({ success: true, id: expect.any(String) });
  const trace = await read(answer?.id);
  expect(trace).toMatchObject({
    ...{ id: answer?.id, applicationId: tenant.applicationId, type: "request", event: "end", referenceId: "order-1" },
    tokens: { input: 5n, output: 8n },
    metadata: { user: "u" },
    timestamp: at(9),
  });
  expect(names(trace?.steps)).toEqual([["root", ["a", "b"]], "late"]);
  const [root] = trace?.steps ?? [];
  // JSON null is distinct from an absent value.
  expect([root?.input?.kind.case, root?.output]).toEqual(["nullValue", undefined]);
  expect(root?.steps[0]).toMatchObject({
    parentId: root?.id,
    tokens: { input: 0n, output: 0n },
  });
});

test("a trace without steps is a group that has started", async () => {
  const [answer] = await send([{ type: "trace" }]);
  expect(await read(answer?.id)).toMatchObject({
    ...{ type: "group", event: "start", steps: [], metadata: {} },
    tokens: { input: 0n, output: 0n },
    timestamp: timestampFromDate(harness.clock.now()),
  });
});

test("single steps are added to their trace, before it in the request too, in the order in which they came", async () => {
  const [traceId, id] = [newId(), newId()];
  const answers = await send([
    { type: "log", traceId, name: "first" },
    { type: "trace", traceId },
    { type: "group", traceId, id, name: "second" },
    { type: "llm", traceId: traceId.toUpperCase(), parentId: id.toUpperCase(), name: "inside" },
  ]);
  expect(answers.map(({ success }) => success)).toEqual([true, true, true, true]);
  expect(answers[2]?.id).toBe(id);
  harness.clock.advance(1);
  await send([{ type: "tool", traceId, parentId: id, name: "later" }]);
  expect(names((await read(answers[1]?.id))?.steps)).toEqual(["first", ["second", ["inside", "later"]]]);
});

describe("a bad event fails alone, with a sentence; the others are stored", () => {
  const [traceId, stepId] = [newId(), newId()];
  const step = { type: "log", traceId } as const;

  test.each<[string, Event]>([
    ["A single step needs the traceId of its trace", { type: "log" }],
    ["Trace not found", { type: "log", traceId: newId() }],
    ["Parent step not found", { ...step, parentId: newId() }],
    [
      "A single step has no referenceId, testId, steps: those are a trace's",
      {
        ...step,
        referenceId: "a",
        testId: newId(),
        steps: [{ type: "log" }],
      },
    ],
    [
      "A trace has no id, parentId, event, name, durationMs, tokens, input, output: give them to its steps",
      {
        type: "trace",
        ...{ id: newId(), parentId: newId(), event: "start", name: "", durationMs: 0, tokens: {} },
        ...{ input: text("a"), output: text("b") },
      },
    ],
    [
      `Two steps of the trace have the id ${stepId}`,
      {
        type: "trace",
        steps: [{ type: "log", id: stepId, steps: [{ type: "log", id: stepId.toUpperCase() }] }],
      },
    ],
    ["The metadata of a trace have at most 16 KiB", { type: "trace", metadata: { a: "x".repeat(16 * 1024) } }],
    ["A trace has at most 3 MiB", { ...step, input: text("x".repeat(3 * 1024 * 1024)) }],
    [
      "A trace has at most 3 MiB",
      { type: "trace", steps: [{ type: "log", input: text("x".repeat(3 * 1024 * 1024)) }] },
    ],
  ])("%s", async (error, bad) => {
    await send([{ type: "trace", traceId }]);
    const before = await rows();
    const answers = await send([bad, { ...step }, { ...step, parentId: newId() }]);
    expect(answers).toMatchObject([
      { success: false, error },
      { success: true, id: expect.any(String) },
      { success: false, error: "Parent step not found" },
    ]);
    expect(answers[0]?.id).toBeUndefined();
    expect(answers[1]?.error).toBeUndefined();
    expect(await rows()).toEqual({ ...before, steps: before?.steps + 1 });
  });

  test("a step of another trace is no parent", async () => {
    const other = newId();
    const answers = await send([
      { type: "trace", traceId: other },
      { type: "log", traceId: other, id: stepId },
      { ...step, parentId: stepId },
    ]);
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, "Parent step not found"]);
  });
});

test("a trace has no more than 10000 steps, however they come", async () => {
  const traceId = newId();
  const steps = (count: number) => Array.from({ length: count }, () => ({ type: "log" }));
  const nested = Array.from({ length: 10 }, () => ({ type: "group", steps: steps(998) }));
  expect(await send([{ type: "trace", traceId, steps: nested }])).toMatchObject([{ success: true }]);
  const left = traceStepsMax - 10 * 999;
  const answers = await send([
    { type: "trace", traceId, steps: steps(left + 1).map((step) => ({ ...step, name: "more" })) },
    ...steps(left + 1).map((step) => ({ ...step, traceId })),
  ]);
  expect(answers.map(({ success }) => success)).toEqual([false, ...steps(left).map(() => true), false]);
  expect(answers.at(-1)?.error).toBe("A trace has at most 10000 steps");
});

test("concurrent requests do not exceed a trace's limit, and do not block other traces", async () => {
  const traceId = newId();
  await send([{ type: "trace", traceId }]);
  const large = () => send([{ type: "log", traceId, input: text("x".repeat(1024 * 1024)) }]);
  const answers = await Promise.all(Array.from({ length: 6 }, large));
  expect(
    answers
      .flat()
      .map(({ error = "" }) => error)
      .toSorted(),
  ).toEqual(["", "", ...Array(4).fill("A trace has at most 3 MiB")]);

  const holder = await new DataSource({ type: "postgres", url: database.superuserUrl }).initialize();
  const runner = holder.createQueryRunner();
  await runner.startTransaction();
  await runner.query("SELECT FROM experiments.trace WHERE trace_id = $1 FOR UPDATE", [traceId]);
  const waiting = send([{ type: "log", traceId }]);
  expect(await send([{ type: "trace", steps: [{ type: "log" }] }])).toMatchObject([{ success: true }]);
  await runner.rollbackTransaction();
  expect(await waiting).toMatchObject([{ success: true }]);
  await holder.destroy();
});

test("a request of more rows than the limit is rejected, nested steps included", async () => {
  const steps = Array.from({ length: 11 }, () => ({ type: "group", steps: Array(999).fill({ type: "log" }) }));
  await expect(send([{ type: "trace", steps }])).rejects.toThrow("A request makes at most 10000 traces and steps");
});

describe("ingestion is repeatable", () => {
  test("a trace and its steps, with ids or without", async () => {
    const traceId = newId();
    const events: Event[] = [
      {
        type: "trace",
        traceId,
        steps: [{ type: "log" }, { type: "log" }, { type: "group", steps: [{ type: "llm" }] }],
      },
      { type: "tool", traceId, id: newId(), name: "once", input: text("first") },
    ];
    const [first, before] = [await send(events), await rows()];
    harness.clock.advance(60_000);
    expect(await send(events)).toEqual(first);
    expect(await rows()).toEqual(before);
  });

  test("stored steps are not changed; new ones are added", async () => {
    const [traceId, id] = [newId(), newId()];
    const [answer] = await send([
      { type: "trace", traceId, referenceId: "a", steps: [{ type: "log", id, name: "a" }] },
    ]);
    const repeat = await send([
      {
        type: "trace",
        traceId,
        referenceId: "b",
        steps: [
          { type: "log", id, name: "b" },
          { type: "log", name: "new" },
        ],
      },
      { type: "llm", traceId, id, name: "c", parentId: newId() },
    ]);
    expect(repeat).toMatchObject([
      { success: true, id: answer?.id },
      { success: true, id },
    ]);
    const trace = await read(answer?.id);
    expect(trace?.referenceId).toBe("a");
    expect(names(trace?.steps)).toEqual(["a", "new"]);
  });

  test("concurrent retries store one trace, and each step once", async () => {
    const [traceId, id] = [newId(), newId()];
    const events: Event[] = [{ type: "trace", traceId, steps: [{ type: "log", id }] }, { type: "trace" }];
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(events)));
    expect(new Set(answers.map(([trace]) => trace?.id)).size).toBe(1);
    expect((await read(answers[0]?.[0]?.id))?.steps).toHaveLength(1);
  });
});

test("the same traceId of two tenants is two traces, and another tenant's is not found", async () => {
  const [traceId, other] = [newId(), testTenant()];
  const [ours] = await send([{ type: "trace", traceId }]);
  expect(await send([{ type: "log", traceId }], other)).toMatchObject([{ success: false, error: "Trace not found" }]);
  const [theirs] = await send([{ type: "trace", traceId }], other);
  expect(theirs?.id).not.toBe(ours?.id);
  await expect(traces.getTrace({ id: theirs?.id ?? "" }, testCall(tenant))).rejects.toThrow("Trace not found");
});
