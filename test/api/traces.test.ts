import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId } = await newTenant();
const ingest = async (...events: unknown[]) => (await api.post("/v0/ingest", { events })).body.data;

/** Common fields of a step, as sent and as returned. */
const common = {
  name: "n",
  status: "error",
  statusCode: "500",
  error: "Error: x",
  group: "g",
  durationMs: 12,
  costAmount: 0.000125,
  timestamp: "2026-03-02T09:15:01.000Z",
  endTime: "2026-03-02T09:15:01.012Z",
  metadata: { a: [1, { b: null }] },
  params: [{ temperature: 0.5 }],
};
const guardrail = { guardrailAction: "block", guardrailTriggered: true, guardrailType: "pii" };
const text = "é😀\n";
/** Each kind of step with its own fields: texts are returned unchanged. */
const kinds = [
  { type: "llm", event: "start", modelId: "m", input: text },
  {
    type: "llm",
    event: "end",
    modelId: "m",
    output: '{"a": 1}',
    finishReason: "stop",
    usage: { promptTokens: 3, completionTokens: 4, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  },
  { type: "tool", toolCallId: "call_1", toolInput: text, toolOutput: text },
  { type: "retriever", query: text, result: text },
  { type: "reranker" },
  { type: "agent", input: text, output: text },
  { type: "embedding" },
  { type: "guardrail", ...guardrail },
  {
    type: "evaluator",
    evaluationExplanation: text,
    evaluationLabel: "good",
    evaluationScore: 0.75,
    evaluatorName: "judge",
  },
  { type: "log", content: text },
  { type: "group", key: "g", input: text, output: text, ...guardrail },
  { type: "response", content: text },
  { type: "request", content: text },
];

describe("GET /v0/traces/{id}", () => {
  test("returns the trace with its steps, every field of every kind as it was sent", async () => {
    const [traceId, testId] = [newId(), newId()];
    const steps = kinds.map((kind) => ({ ...common, ...kind, id: newId(), traceId, parentId: newId() }));
    const [{ id }] = await ingest({
      type: "trace",
      traceId,
      testId,
      referenceId: "conversation 7",
      metadata: { user: { plan: "pro" } },
      timestamp: "2026-03-02T10:15:00.123456+01:00",
      steps,
    });
    expect(id).toBe(traceId);
    const { status, body } = await api.get(`/v0/traces/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id,
        traceId,
        applicationId,
        testId,
        referenceId: "conversation 7",
        metadata: { user: { plan: "pro" } },
        timestamp: "2026-03-02T09:15:00.123Z",
        type: "llm",
        event: "start",
        tokens: { input: 3, output: 4, cachedInput: 0, cacheWrite: 0, reasoning: 0 },
        unpricedSteps: 0,
        durationUs: 12_000,
        feedback: [],
        externalEvaluations: [],
        attachments: [],
        hasError: true,
        stepCount: 13,
        totalCost: 0.001625,
        totalDurationMs: 12,
        evals: [],
        totalPromptTokens: 3,
        totalCompletionTokens: 4,
        steps: steps.map((step) => ({ ...step, durationUs: 12_000 })),
        question: text,
        answer: text,
        user: null,
        service: null,
        version: null,
        environment: null,
        session: null,
        sessionId: null,
        replacedCharacters: 0,
        continues: null,
        continuedBy: null,
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
      },
    });
  });

  test.each(kinds)("a single step is returned as sent: %j", async (kind) => {
    const [{ id }] = await ingest({ ...common, ...kind });
    const { data } = (await api.get(`/v0/traces/${id}`)).body;
    expect(data.steps).toEqual([{ ...common, ...kind, durationUs: 12_000, id: expect.any(String), traceId: id }]);
  });

  test("payloads that are objects or lists are returned as JSON text", async () => {
    const payload = ["any", { json: null, n: 1.5 }];
    const json = JSON.stringify(payload);
    for (const [sent, answered] of [
      [{ type: "llm", modelId: "m", event: "start", input: payload }, { input: json }],
      [{ type: "llm", modelId: "m", event: "end", output: payload }, { output: json }],
      [{ type: "llm", modelId: "m", event: "end", output: "text" }, { output: '{"message":"text"}' }],
      [
        { type: "tool", toolInput: payload, toolOutput: payload },
        { toolInput: json, toolOutput: json },
      ],
      [
        { type: "retriever", query: payload, result: payload },
        { query: json, result: json },
      ],
      [{ type: "evaluator", evaluationExplanation: payload }, { evaluationExplanation: json }],
      [
        { type: "request", content: payload, metadata: "text", params: '{"a":1}' },
        { content: json, metadata: { raw: "text" }, params: { a: 1 } },
      ],
    ]) {
      const [{ id }] = await ingest(sent);
      expect((await api.get(`/v0/traces/${id}`)).body.data.steps).toMatchObject([answered]);
    }
  });

  test("unset fields of a trace are null, and those of steps are left out", async () => {
    const [{ id }] = await ingest({ type: "trace", steps: [{ type: "embedding" }] });
    const { data } = (await api.get(`/v0/traces/${id}`)).body;
    expect(data).toMatchObject({ referenceId: null, testId: null, event: null, metadata: {} });
    expect(Object.keys(data.steps[0]).toSorted()).toEqual(["id", "status", "timestamp", "traceId", "type"]);
  });

  test("is found by the 32 digits of its id, too", async () => {
    const [{ id }] = await ingest({ type: "trace" });
    const digits = id.replaceAll("-", "").toUpperCase();
    expect((await api.get(`/v0/traces/${digits}`)).body.data.id).toBe(id);
    expect((await api.get(`/v0/traces/${digits}/steps`)).status).toBe(200);
  });

  test("a trace that is not there is Trace not found", async () => {
    for (const path of [newId(), `${newId()}/steps`, `by-test/${newId()}`]) {
      const { status, body } = await api.get(`/v0/traces/${path}`);
      expect({ status, body }).toEqual({ status: 404, body: { message: "Trace not found" } });
    }
  });

  test("an id that is no UUID is Invalid UUID", async () => {
    for (const path of ["latest", "latest/steps", "by-test/latest"]) {
      const { status, body } = await api.get(`/v0/traces/${path}`);
      expect(status).toBe(400);
      expect(body.issues).toEqual([{ code: "invalid_string", message: "Invalid UUID", path: ["id"] }]);
    }
  });

  test("a request may nest as deep as JSON may", async () => {
    const nest = (levels: number): object => (levels === 0 ? {} : { steps: [{ type: "group", ...nest(levels - 1) }] });
    expect((await api.post("/v0/ingest", { events: [{ type: "trace", ...nest(15) }] })).body.issues[0].code).toBe(
      "invalid_json",
    );
    const [{ id }] = await ingest({ type: "trace", ...nest(14) });
    expect((await api.get(`/v0/traces/${id}`)).body.data.steps).toHaveLength(14);
    const content = JSON.parse(`${"[".repeat(29)}${"]".repeat(29)}`);
    const [deep] = await ingest({ type: "log", content });
    expect((await api.get(`/v0/traces/${deep.id}`)).body.data.steps[0].content).toBe(JSON.stringify(content));
  });
});

test("GET /v0/traces/by-test/{id} returns the newest trace of the test", async () => {
  const testId = newId();
  await ingest({ type: "trace", testId });
  const [{ id }] = await ingest({ type: "trace", testId, steps: [{ type: "log" }] });
  const { status, body } = await api.get(`/v0/traces/by-test/${testId}`);
  expect([status, body.data.id, body.data.steps.length]).toEqual([200, id, 1]);
  expect(body).toEqual((await api.get(`/v0/traces/${id}`)).body);
});

describe("steps of more than 2 MiB", () => {
  const testId = newId();
  const ids: string[] = [];
  beforeAll(async () => {
    const steps = Array.from({ length: 5 }, (_, at) => ({ type: "log", name: `${at}`, content: "x".repeat(600_000) }));
    for (let count = 0; count < 4; count++) ids.push((await ingest({ type: "trace", testId, steps }))[0].id);
  });

  test("a trace has the first ones, and says how many there are", async () => {
    const { data } = (await api.get(`/v0/traces/${ids[0]}`)).body;
    expect([data.stepCount, data.steps.map(({ name }: { name: string }) => name)]).toEqual([5, ["0", "1", "2"]]);
  });

  test("their pages have all", async () => {
    const { status, body } = await api.get(`/v0/traces/${ids[0]}/steps?skip=2&limit=2`);
    expect([status, body.pagination]).toEqual([
      200,
      { skip: 2, limit: 2, total: 5, totalPages: 3, totalCount: 5, nextCursor: expect.any(String) },
    ]);
    expect(body.data).toMatchObject([{ name: "2", traceId: ids[0] }, { name: "3" }]);
    const all = (await api.get(`/v0/traces/${ids[0]}/steps`)).body.data;
    expect(all.map(({ name }: { name: string }) => name)).toEqual(["0", "1", "2", "3", "4"]);
  });

  test("a list's page is never cut, its traces' steps are", async () => {
    const { body } = await api.get(`/v0/traces?testId=${testId}&limit=100`);
    const counts = body.data.map(({ stepCount, steps }: { stepCount: number; steps: [] }) => [stepCount, steps.length]);
    expect(counts).toEqual(Array(4).fill([5, 3]));
  });
});

describe("GET /v0/traces", () => {
  const testId = newId();
  beforeAll(async () => {
    for (const [referenceId, day] of [
      ["page a", 3],
      ["page b", 1],
      ["page c", 2],
    ] as const) {
      await ingest({
        type: "trace",
        referenceId,
        testId,
        timestamp: `2026-01-0${day}T00:00:00Z`,
        steps: [{ type: "llm" }],
      });
    }
  });
  const found = async (query: string) => {
    const { body } = await api.get(`/v0/traces?testId=${testId}&${query}`);
    return body.data.map(({ referenceId }: { referenceId: string }) => referenceId.at(-1)).join("");
  };

  test("is paged, newest first, each trace equal to a single read", async () => {
    const { status, body } = await api.get(`/v0/traces?testId=${testId}&limit=2&skip=1`);
    expect([status, body.pagination]).toEqual([
      200,
      { skip: 1, limit: 2, total: 3, totalPages: 2, totalCount: 3, nextCursor: null },
    ]);
    expect(body.data.map(({ referenceId }: { referenceId: string }) => referenceId)).toEqual(["page b", "page a"]);
    for (const each of body.data) expect((await api.get(`/v0/traces/${each.id}`)).body.data).toEqual(each);
    expect(body.data[0].steps).toMatchObject([{ type: "llm", event: "start", modelId: "", input: "" }]);
  });

  test("is filtered by test, reference, and an inclusive range of timestamps", async () => {
    expect(await found("referenceId=page+a")).toBe("a");
    expect(await found("startDate=2026-01-02T00:00:00Z&orderBy=timestamp&orderDir=asc")).toBe("ca");
    expect(await found("endDate=2026-01-02T00:00:00.000Z&orderBy=timestamp")).toBe("cb");
    expect(await found("startDate=2026-01-02T00:00:00Z&endDate=2026-01-02T00:00:00Z")).toBe("c");
    expect(await found("endDate=2026-01-01T23:59:59.999Z")).toBe("b");
  });

  test("lists every fault of a query at once", async () => {
    const { status, body } = await api.get(
      "/v0/traces?limit=101&skip=-1&orderBy=type&orderDir=up&testId=x&startDate=2026-13-01&endDate=now&type=llm",
    );
    expect(status).toBe(400);
    const paths = body.issues.map(({ path }: { path: string[] }) => path.join("."));
    expect(paths.sort()).toEqual(["endDate", "limit", "orderBy", "orderDir", "skip", "startDate", "testId", "type"]);
  });
});
