import { describe, expect, test } from "vitest";
import { newClient } from "./client.ts";
import { commonStepFields, fixtures, make, steps } from "./fixtures.ts";
import { from, type Operation, order, until } from "./operation.ts";
import { getFaults, tryOperations } from "./page.ts";
import { ingested, retrievedTrace, step as stepShape, trace } from "./shapes/experiments.ts";
import { data, getPage } from "./shapes/shared.ts";

const client = await newClient();
const made = await fixtures(client);
const ingest = async (...events: object[]) => {
  const answer = await make(client, "POST", "/v0/ingest", { events });
  expect(getFaults(ingested, answer)).toEqual([]);
  return answer.data as { success: boolean; id?: string; error?: string }[];
};
const readTrace = async (id: string | undefined) => {
  const { data: read } = await make(client, "GET", `/v0/traces/${id}`);
  expect(getFaults(retrievedTrace, read)).toEqual([]);
  return read;
};

const traces: Record<string, Operation> = {
  "traces.retrieve": {
    method: "GET",
    path: () => `/v0/traces/${made.traceId}`,
    status: 200,
    answer: data(retrievedTrace),
  },
  "traces.retrieve_by_test": {
    method: "GET",
    path: () => `/v0/traces/by-test/${made.testId}`,
    status: 200,
    answer: data(trace),
  },
  "traces.steps": {
    method: "GET",
    path: () => `/v0/traces/${made.traceId}/steps`,
    status: 200,
    answer: getPage(stepShape),
    query: { skip: { matching: ["0"], none: ["1000"] }, limit: { matching: ["1", "100"] } },
  },
  "traces.list": {
    method: "GET",
    path: () => "/v0/traces",
    status: 200,
    answer: getPage(trace),
    query: {
      orderBy: order("createdAt", "modifiedAt", "timestamp", "totalCost", "totalDurationMs", "stepCount", "id"),
      startDate: from,
      endDate: until,
      hasError: { matching: ["true"], none: ["false"] },
      minCost: { matching: ["0.1"], none: ["1000"] },
      maxCost: { matching: ["1000"], none: ["0.001"] },
      minDuration: { matching: ["1"], none: ["100000"] },
      maxDuration: { matching: ["100000"], none: ["1"] },
      minScore: { matching: ["0.5"], none: ["2"] },
      maxScore: { matching: ["1"], none: ["0.5"] },
      metadataKey: { matching: ["channel"], with: { metadataValue: "chat" } },
      metadataValue: { matching: ["chat"], none: ["mail"], with: { metadataKey: "channel" } },
      referenceId: { matching: ["call-1"], none: ["call-2"] },
      testId: { matching: [made.testId], none: ["00000000-0000-0000-0000-000000000000"] },
    },
  },
};

tryOperations(client, traces);

test("search finds words of all payloads, within seconds of the request", async () => {
  const found = async (search: string) =>
    (await make(client, "GET", `/v0/traces?search=${encodeURIComponent(search)}`)).data.length as number;
  await expect.poll(() => found("bern sunny"), { timeout: 10_000 }).toBe(1);
  for (const word of ["transfer", "FREE", "cache miss", "plan"]) expect([word, await found(word)]).toEqual([word, 1]);
  expect(await found("bern nowhere")).toBe(0);
});

describe.each(Object.entries(steps))("a step of kind %s", (_, step) => {
  test("is returned as sent, nested in its trace", async () => {
    const id = crypto.randomUUID();
    const traceId = crypto.randomUUID();
    const sent = { ...step, ...commonStepFields, id, traceId };
    expect(await ingest({ type: "trace", traceId, steps: [sent] })).toMatchObject([{ success: true, id: traceId }]);
    expect((await readTrace(traceId)).steps).toMatchObject([sent]);
  });

  test("is returned as sent, as an event of its own", async () => {
    const [answer] = await ingest({ ...step, ...commonStepFields });
    expect(answer).toMatchObject({ success: true });
    expect((await readTrace(answer?.id)).steps).toMatchObject([{ ...step, ...commonStepFields }]);
  });

  test("is taken in its smallest form, and added to a trace", async () => {
    const traceId = crypto.randomUUID();
    const event = "event" in step ? { event: step.event, modelId: step.modelId } : {};
    const needed = { type: step.type, ...event, ...getRequired(step) };
    const answers = await ingest({ type: "trace", traceId }, { ...needed, traceId });
    expect(answers.map(({ success, error }) => [success, error ?? null])).toEqual([
      [true, null],
      [true, null],
    ]);
    expect((await readTrace(traceId)).steps).toMatchObject([{ ...needed, status: "success" }]);
  });

  test.each([
    ["object", { a: { b: [1, "x", null] } }],
    ["list", [1, { a: "b" }, "c"]],
  ])("takes payloads that are an %s, and answers JSON text", async (_name, payload) => {
    const names = Object.keys(step).filter((name) => payloads.includes(name) && step.type !== "log");
    const [answer] = await ingest({ ...step, ...Object.fromEntries(names.map((name) => [name, payload])) });
    expect(answer).toMatchObject({ success: true });
    const [stored] = (await readTrace(answer?.id)).steps;
    for (const name of names) expect([name, JSON.parse(stored[name])]).toEqual([name, payload]);
  });
});

/** Fields that accept text, an object or a list. */
const payloads = "input output toolInput toolOutput query result content evaluationExplanation".split(" ");

/** Returns the fields that the documentation page requires of the step. */
function getRequired(step: Record<string, unknown>): Record<string, unknown> {
  const names = ["query", "result", "content", "key", ...(step.event === "start" ? ["input"] : [])];
  return Object.fromEntries(names.filter((name) => name in step).map((name) => [name, step[name]]));
}

test("a trace is returned with all sent fields and its evaluations", async () => {
  const { data: definition } = await make(client, "GET", `/v0/definitions/${made.match.id}`);
  const sent = {
    traceId: crypto.randomUUID(),
    hasError: true,
    metadata: { channel: "chat", nested: { a: [1] } },
    referenceId: "call-9",
    timestamp: "2026-11-02T10:00:00.000Z",
    totalCompletionTokens: 3,
    totalCost: 0.125,
    totalDurationMs: 2500,
    totalPromptTokens: 12,
  };
  const evaluation = { id: crypto.randomUUID(), definition, orgId: "org", status: "COMPLETED", passed: true, score: 1 };
  const [answer] = await ingest({ type: "trace", ...sent, stepCount: 0, evals: [evaluation] });
  expect(answer).toMatchObject({ success: true, id: sent.traceId });
  const read = await readTrace(sent.traceId);
  expect(read).toMatchObject({ ...sent, id: sent.traceId });
  expect(read.evals).toMatchObject([{ id: evaluation.id, status: "COMPLETED", passed: true, score: 1 }]);
});

test.each([
  ["text of JSON", '{"a":1}', { a: 1 }],
  ["other text", "hello", { raw: "hello" }],
  ["a list", [{ a: 1 }], [{ a: 1 }]],
])("metadata that are %s", async (_, metadata, expected) => {
  const [answer] = await ingest({ type: "trace", metadata, steps: [] }, { type: "log", content: "x", metadata });
  expect((await readTrace(answer?.id)).metadata).toEqual(expected);
});

test("a step that lacks its payload is answered with an empty one, or refused with the field's name", async () => {
  for (const step of Object.values(steps)) {
    const event = "event" in step ? { event: step.event } : {};
    const [answer] = await ingest({ type: step.type, ...event });
    if (answer?.success) await readTrace(answer.id);
    else expect(answer?.error).toMatch(/modelId|input|query|result|content|key/);
  }
});

test("timestamps are ISO or milliseconds", async () => {
  const timestamps = [
    "2026-11-02T10:00:00.000Z",
    "2026-11-02T12:00:00.000000+02:00",
    Date.parse("2026-11-02T10:00:00Z"),
    "2026-11-02T10:00:00",
  ];
  for (const timestamp of timestamps) {
    const [answer] = await ingest({ type: "trace", timestamp });
    expect(answer).toMatchObject({ success: true });
    expect((await readTrace(answer?.id)).timestamp).toBe("2026-11-02T10:00:00.000Z");
  }
});

test("one bad event refuses no other, whatever is wrong with it", async () => {
  const bad = [
    { type: "unknown" },
    { type: "llm", event: "start", modelId: 7, input: "x" },
    { type: 5, content: "x" },
    { type: "trace", traceId: "no uuid" },
    { type: "trace", surprise: true },
    { type: "log", content: "x", costAmount: "much" },
    "text",
    null,
    { type: "trace", steps: [{ type: "log", content: "x" }, { type: "no kind" }] },
  ];
  const answer = await make(client, "POST", "/v0/ingest", { events: [...bad, { type: "trace" }] });
  expect(answer.data.map(({ success }: { success: boolean }) => success)).toEqual([...bad.map(() => false), true]);
  for (const { error } of answer.data.slice(0, -1)) expect(error).toMatch(/./);
});

test("an older client's empty and null fields are not given", async () => {
  const answers = await ingest(
    { type: "trace", metadata: null, referenceId: null, steps: null, testId: null, evals: [], timestamp: null },
    { type: "log", content: "x", name: null, parentId: null, params: null, durationMs: null, traceId: null },
  );
  expect(answers.map(({ error }) => error ?? null)).toEqual([null, null]);
});

test("steps are a flat list, a tree by parentId", async () => {
  const traceId = crypto.randomUUID();
  const [parent, child] = [crypto.randomUUID(), crypto.randomUUID()];
  const nested = [
    { type: "agent", id: parent, traceId },
    { type: "log", id: child, traceId, parentId: parent, content: "x" },
  ];
  await ingest({ type: "trace", traceId, steps: nested });
  const { steps: read, stepCount } = await readTrace(traceId);
  expect([read.length, stepCount]).toEqual([2, 2]);
  expect(read.find(({ id }: { id: string }) => id === child).parentId).toBe(parent);
});
