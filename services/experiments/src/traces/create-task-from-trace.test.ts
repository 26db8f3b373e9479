import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { TaskType } from "@ems/proto/catalog/v1/task_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceAnswer, TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { executions } from "../../test/executions.ts";
import { experimentsHarness } from "../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, tracedTasks } = harness;
const value = (json: JsonValue) => fromJson(ValueSchema, json);
const traces = harness.client(TraceService);

async function ingested(...steps: object[]): Promise<string> {
  const traceId = newId();
  const events = [{ type: "trace" }, ...steps].map((event) => ({ traceId, ...event }));
  const { data } = await harness.client(IngestService).ingestEvents({ events }, testCall(tenant));
  expect(data.every(({ success }) => success)).toBe(true);
  return traceId;
}

const question = { type: "request", content: value("What does it cost?\nA year.") };
const answered = { type: "response", content: value("12 euros.") };

test("the request becomes the prompt, and the answer a note", async () => {
  const traceId = await ingested(question, answered);
  const { task, earlierTaskIds } = await traces.createTaskFromTrace({ traceId }, testCall(tenant));
  expect(task).toMatchObject({ title: "What does it cost?", inputExamples: ["What does it cost?\nA year."], traceId });
  expect(task?.description).toMatch(/^Created from trace .*The application answered:\n\n12 euros\.$/s);
  expect(earlierTaskIds).toEqual([]);
  expect(tracedTasks[0]?.request).toMatchObject({ task: { type: TaskType.STATIC }, tagIds: [], evalIds: [] });
  expect(tracedTasks[0]?.request.config).toBeUndefined();
});

test("a conversation's last user message becomes the prompt; an OpenTelemetry trace id is accepted", async () => {
  const input = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hi" },
    { role: "user", content: "Which fee?" },
  ];
  const traceId = await ingested({ type: "llm", event: "start", modelId: "m", input: value(input) });
  const digits = traceId.replaceAll("-", "").toUpperCase();
  const { task } = await traces.createTaskFromTrace({ traceId: digits }, testCall(tenant));
  expect(task).toMatchObject({ inputExamples: ["Which fee?"], traceId });
  expect(task?.description).not.toContain("answered");
});

test("the prompt of a test is the task's, whatever the trace's request says", async () => {
  const of = executions(harness, tenant);
  const [{ id: testId } = { id: "" }] = (await of.trigger()).tests;
  await of.accept(testId);
  const traceId = await ingested({ type: "trace", testId }, question, answered);
  await harness.database.sql("UPDATE traces.trace_settling SET due_at = now() WHERE test_id = $1", [testId]);
  await of.claim(1);
  const { task } = await traces.createTaskFromTrace({ traceId }, testCall(tenant));
  expect(task?.inputExamples).toEqual(["Hello"]);
});

test("the answer becomes the expected answer only on request", async () => {
  const traceId = await ingested(question, answered);
  const [evalId, tagId] = [newId(), newId()];
  const request = { traceId, title: "Fee", description: "Asked", evalIds: [evalId], tagIds: [tagId] };
  const plain = await traces.createTaskFromTrace(request, testCall(tenant));
  expect(plain.task).toMatchObject({ title: "Fee", description: "Asked" });
  expect(tracedTasks[0]?.request).toMatchObject({ evalIds: [evalId], tagIds: [tagId] });
  expect(tracedTasks[0]?.request.config).toBeUndefined();
  const expecting = await traces.createTaskFromTrace({ ...request, answer: TraceAnswer.EXPECTED }, testCall(tenant));
  expect(tracedTasks[0]?.request.config?.expected?.kind).toEqual({ case: "stringValue", value: "12 euros." });
  expect(expecting.earlierTaskIds).toEqual([plain.task?.id]);
  const noted = await traces.createTaskFromTrace({ ...request, answer: TraceAnswer.NOTE }, testCall(tenant));
  expect(noted.task?.description).toBe("Asked\n\nThe application answered:\n\n12 euros.");
  const without = { traceId, answer: TraceAnswer.NONE };
  expect((await traces.createTaskFromTrace(without, testCall(tenant))).task?.description).not.toContain("12 euros");
  await expect(
    traces.createTaskFromTrace({ traceId, answer: TraceAnswer.EXPECTED }, testCall(tenant)),
  ).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a trace that cannot become a task is refused with a reason", async () => {
  const empty = await ingested();
  const answer = await ingested(answered);
  const unanswered = await ingested(question);
  const long = await ingested({ ...question, content: value("🎉".repeat(10_001)) }, answered);
  const most = await ingested({ ...question, content: value("🎉".repeat(10_000)) }, answered);
  const evalIds = [newId()];
  for (const [request, message] of [
    [{ traceId: empty }, /^The trace has no request: /],
    [{ traceId: answer }, /^The trace has no request: /],
    [{ traceId: long }, "The request of the trace is too long for a prompt: at most 10,000 characters"],
    [{ traceId: unanswered, answer: TraceAnswer.EXPECTED, evalIds }, /^The trace has no answer: /],
    [{ traceId: unanswered, answer: TraceAnswer.NOTE }, /^The trace has no answer: /],
  ] as const) {
    const refused = { code: Code.FailedPrecondition, rawMessage: expect.stringMatching(message) };
    await expect(traces.createTaskFromTrace(request, testCall(tenant))).rejects.toMatchObject(refused);
  }
  const { task } = await traces.createTaskFromTrace({ traceId: most }, testCall(tenant));
  expect([...(task?.title ?? "")]).toHaveLength(100);
  const notFound = { code: Code.NotFound, rawMessage: "Trace not found" };
  for (const [traceId, call] of [
    [newId(), testCall(tenant)],
    [most, testCall(testTenant())],
  ] as const) {
    await expect(traces.createTaskFromTrace({ traceId }, call)).rejects.toMatchObject(notFound);
  }
});

test("a retry with the same idempotency key creates no second task", async () => {
  const traceId = await ingested(question);
  const before = tracedTasks.length;
  const key = newId();
  const call = () => {
    const options = testCall(tenant);
    return { ...options, headers: { ...options.headers, "idempotency-key": key } };
  };
  const first = await traces.createTaskFromTrace({ traceId }, call());
  expect((await traces.createTaskFromTrace({ traceId }, call())).task?.id).toBe(first.task?.id);
  expect(tracedTasks).toHaveLength(before + 1);
  expect(tracedTasks[0]?.key).toBe(`"${key}"`);
});
