// Another tenant's ids in bodies, filters and exports: answered like missing ids, and its data stays unchanged.

import { newId } from "@ems/kit/id";
import { buildUpload } from "@ems/test-support/upload-files";
import { describe, expect, test, vi } from "vitest";
import { newTenant, type TestTenant } from "../harness/tenant.ts";

const ours = await newTenant();
const theirs = await newTenant();
const { api } = theirs;

const topicId = (await api.post("/v0/topics", { title: "theirs" })).body.data.id;
const quickstartId = (await api.post("/v0/quickstarts", { title: "theirs" })).body.data.id;
const words = { title: "theirs", description: "theirs" };
const taskId = (await api.post("/v0/tasks", words)).body.task.id;
const evalDefinitionId = (await api.post("/v0/definitions", { type: "FACT", name: "theirs" })).body.data.id;
const tagId = (await api.post("/v0/tags", { name: "theirs" })).body.data.id;
const experimentId = (await api.post("/v0/experiments", { title: "theirs" })).body.data.id;
const baseline = { title: "theirs", configPatch: {} };
const variantId = (await api.post(`/v0/experiments/${experimentId}/variants`, baseline)).body.data.id;
const annotationId = (await api.post("/v0/annotations", { title: "theirs" })).body.data.id;
const evaluated = { taskId, evaluations: [{ definitionId: evalDefinitionId }] };
const results = (await api.post("/v0/tests/results", { tests: [evaluated] })).body;
const testId = results.testIds[0];
await api.post("/v0/issues", { title: "theirs", source: "API" });
const parentId = (await api.get("/v0/issues")).body.data[0].id;

const documentId = (await api.post("/v0/documents", { title: "theirs", content: "theirs" })).body.document.id;

const ourTopic = (await ours.api.post("/v0/topics", { title: "ours" })).body.data.id;
const ourExperiment = (await ours.api.post("/v0/experiments", { title: "ours" })).body.data.id;
const ourTask = (await ours.api.post("/v0/tasks", { title: "ours", description: "ours" })).body.task.id;
const question = { type: "trace", steps: [{ type: "request", content: "ours" }] };
const ourTrace = (await ours.api.post("/v0/ingest", { events: [question] })).body.data[0].id;
const ourQueue = (await ours.api.post("/v0/human-annotation-queues", { topicId: ourTopic })).body.data.id;
const ourConnection = { name: "ours", provider: "openai", model: "ours", apiKey: "ours" };
await ours.api.post("/v0/model-connections", ourConnection);
const ourDefinition = (await ours.api.post("/v0/definitions", { type: "FACT", name: "ours" })).body.data.id;

/** A model call in OTLP/JSON, and the log record of its prompt. */
const ids = () => ({ traceId: newId().replaceAll("-", ""), spanId: newId().replaceAll("-", "").slice(-16) });
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const nanos = `${Date.now()}000000`;

async function sendSpan({ api: to }: TestTenant, span: ReturnType<typeof ids>, name: string, forTestId?: string) {
  const attributes = [
    attribute("gen_ai.operation.name", "chat"),
    attribute("session.id", name),
    ...(forTestId === undefined ? [] : [attribute("avido.test.id", forTestId)]),
  ];
  const spans = [{ ...span, name, startTimeUnixNano: nanos, endTimeUnixNano: nanos, attributes }];
  const answer = await to.post("/v1/traces", { resourceSpans: [{ scopeSpans: [{ spans }] }] });
  expect(answer).toMatchObject({ status: 200, body: {} });
}

async function sendPrompt({ api: to }: TestTenant, span: ReturnType<typeof ids>, content: string) {
  const body = { kvlistValue: { values: [attribute("content", content)] } };
  const logRecords = [{ ...span, eventName: "gen_ai.user.message", timeUnixNano: nanos, body }];
  const answer = await to.post("/v1/logs", { resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  expect(answer).toMatchObject({ status: 200, body: {} });
}

const span = ids();
await sendSpan(theirs, span, "theirs", testId);
await sendPrompt(theirs, span, "their prompt");
const theirTrace = async () => (await api.get(`/v0/traces/${span.traceId}`)).body.data;
const before = await theirTrace();
const traceId = before.id;

const judged = { traceId, verdict: true, source: "TRACE_PAGE" };
const theirQueue = (await api.post("/v0/human-annotation-queues", { topicId })).body.data.id;
await api.post(`/v0/human-annotation-queues/${theirQueue}/items`, { traceIds: [traceId] });
const queueItemId = (await api.get("/v0/human-annotation-queue-items")).body.data[0].id;
await api.post("/v0/human-annotations", { ...judged, source: "REVIEW_QUEUE", queueItemId });
await api.post("/v0/human-annotations", { ...judged, definitionId: evalDefinitionId });
// Their judge will be calibrated soon.
await vi.waitFor(async () => expect((await theirTrace()).evals[0].definition.calibration).not.toBeNull(), {
  timeout: 60_000,
});
const annotated = await theirTrace();
test.each(Object.entries({ topicId, taskId, evalDefinitionId, annotationId, testId, parentId, traceId }))(
  "PUT /v0/issues/{id}, %s",
  async (field, id) => {
    await ours.api.post("/v0/issues", { title: "ours", source: "API" });
    const own = (await ours.api.get("/v0/issues")).body.data[0].id;
    const put = async (value: string) => {
      const { status, body } = await ours.api.send("PUT", `/v0/issues/${own}`, { json: { [field]: value } });
      return { status, body };
    };
    const answer = await put(id);
    expect(answer).toEqual(await put(newId()));
    expect(answer.status).toBe(404);
  },
);

describe("in a body", () => {
  const issue = (field: object) => ({ title: "ours", source: "API", ...field });
  const cases: [string, string, (id: string) => unknown, string][] = [
    ...Object.entries({ topicId, taskId, evalDefinitionId, experimentId, annotationId, testId, parentId, traceId }).map(
      ([field, id]): [string, string, (id: string) => unknown, string] => [
        `/v0/issues`,
        field,
        (value) => issue({ [field]: value }),
        id,
      ],
    ),
    ["/v0/human-annotations", "traceId", (id) => ({ ...judged, traceId: id }), traceId],
    [
      "/v0/human-annotations",
      "queueItemId",
      (id) => ({ ...judged, traceId: ourTrace, source: "REVIEW_QUEUE", queueItemId: id }),
      queueItemId,
    ],
    ["/v0/human-annotation-queues", "topicId", (id) => ({ topicId: id }), topicId],
    [`/v0/human-annotation-queues/${ourQueue}/items`, "traceIds", (id) => ({ traceIds: [ourTrace, id] }), traceId],
    [`/v0/definitions/${ourDefinition}/calibration/queue`, "queueId", (id) => ({ queueId: id }), theirQueue],
    ["/v0/tests/results", "taskId", (id) => ({ tests: [{ taskId: id, evaluations: [] }] }), taskId],
    [
      "/v0/tests/results",
      "experimentVariantId",
      (id) => ({ run: { experimentVariantId: id }, tests: [{ taskId: ourTask }] }),
      variantId,
    ],
    ["/v0/tasks", "topicId", (id) => ({ ...words, topicId: id }), topicId],
    ["/v0/tasks", "quickstartId", (id) => ({ ...words, quickstartId: id }), quickstartId],
    ["/v0/tasks/from-trace", "traceId", (id) => ({ traceId: id }), traceId],
    ["/v0/tasks/from-trace", "topicId", (id) => ({ traceId: ourTrace, topicId: id }), topicId],
    ["/v0/tasks/from-trace", "tagIds", (id) => ({ traceId: ourTrace, tagIds: [id] }), tagId],
    ["/v0/tasks/from-trace", "evalIds", (id) => ({ traceId: ourTrace, evalIds: [id] }), evalDefinitionId],
    ["/v0/documents", "topicId", (id) => ({ title: "ours", content: "ours", topicId: id }), topicId],
    ["/v0/facts", "topicIds", (id) => ({ statement: "ours", scope: "TOPIC", topicIds: [id] }), topicId],
    ["/v0/facts", "quickstartId", (id) => ({ statement: "ours", scope: "TOPIC", quickstartId: id }), quickstartId],
    [
      "/v0/facts",
      "sourceDocumentId",
      (id) => ({ statement: "ours", scope: "TOPIC", sourceDocumentId: id }),
      documentId,
    ],
    ["/v0/documents/tests/trigger", "quickstartId", (id) => ({ type: "MECE", quickstartId: id }), quickstartId],
    ["/v0/experiments", "taskIds", (id) => ({ title: "ours", taskIds: [id] }), taskId],
    [
      `/v0/experiments/${ourExperiment}/variants`,
      "parentId",
      (id) => ({ title: "ours", configPatch: {}, parentId: id }),
      variantId,
    ],
    ["/v0/definitions/link-application", "evalIds", (id) => ({ evalIds: [id] }), evalDefinitionId],
    ["/v0/definitions/link-topics", "evalIds", (id) => ({ evalIds: [id], topicIds: [ourTopic] }), evalDefinitionId],
    ["/v0/definitions/link-topics", "topicIds", (id) => ({ evalIds: [ourDefinition], topicIds: [id] }), topicId],
  ];
  test.each(cases)("POST %s, %s", async (path, _, body, id) => {
    const send = async (value: string) => {
      const { status, body: answer } = await ours.api.post(path, body(value));
      return { status, text: JSON.stringify(answer).replaceAll(value, "id") };
    };
    const answer = await send(id);
    expect(answer).toEqual(await send(newId()));
    expect(answer.status).toBe(404);
  });

  test.each([
    ["topicId", topicId],
    ["quickstartId", quickstartId],
  ])("POST /v0/documents/upload, %s", async (field, id) => {
    const send = async (value: string) => {
      const { payload, contentType } = await buildUpload(new File(["ours"], "ours.txt"), { [field]: value });
      const sent = { raw: payload, headers: { "content-type": contentType } };
      const { status, body } = await ours.api.send("POST", "/v0/documents/upload", sent);
      return { status, text: JSON.stringify(body).replaceAll(value, "id") };
    };
    expect(await send(id)).toEqual(await send(newId()));
    expect((await ours.api.get("/v0/documents?documentStatus=DRAFT")).body.data).toEqual([]);
  });
});

test.each([
  [`/v0/traces?testId=${testId}`],
  [`/v0/traces?referenceId=${span.traceId}`],
  ["/v0/traces?metadataKey=session.id&metadataValue=theirs"],
  ["/v0/traces?search=prompt"],
  [`/v0/evals?testId=${testId}`],
  [`/v0/evals?definitionId=${evalDefinitionId}`],
  [`/v0/tests?taskId=${taskId}`],
  [`/v0/tests?runId=${results.run.id}`],
  [`/v0/runs?taskId=${taskId}`],
  [`/v0/tasks?definitionId=${evalDefinitionId}`],
  [`/v0/human-annotations?traceId=${traceId}`],
  [`/v0/human-annotations?queueItemId=${queueItemId}`],
  [`/v0/human-annotation-queues?topicId=${topicId}`],
  [`/v0/human-annotation-queue-items?queueId=${theirQueue}`],
])("a filter finds nothing of the other tenant: GET %s", async (path) => {
  const { status, body } = await ours.api.get(path);
  expect([status, body.data]).toEqual([200, []]);
});

test("a run of the other tenant is not compared with ours, on either side", async () => {
  const own = { taskId: (await ours.api.post("/v0/tasks", words)).body.task.id };
  const { id } = (await ours.api.post("/v0/tests/results", { tests: [own] })).body.run;
  for (const query of [`a=${id}&b=${results.run.id}`, `a=${results.run.id}&b=${id}`]) {
    const answer = await ours.api.get(`/v0/runs/compare?${query}`);
    expect(answer).toMatchObject({ status: 404, body: { message: "Run not found" } });
  }
});

test("a variant of the other tenant is not compared with ours, on either side", async () => {
  const own = `/v0/experiments/${ourExperiment}`;
  const { id } = (await ours.api.post(`${own}/variants`, { title: "ours", configPatch: {} })).body.data;
  for (const query of [`variant=${variantId}`, `variant=${id}&baseline=${variantId}`]) {
    const answer = await ours.api.get(`${own}/comparison?${query}`);
    expect(answer).toMatchObject({ status: 404, body: { message: "Experiment variant not found" } });
  }
});

describe("an export that names another tenant's ids", () => {
  test("a trace and span make a trace of one's own, without the other's prompts", async () => {
    await sendSpan(ours, span, "ours");
    const { data } = (await ours.api.get(`/v0/traces/${span.traceId}`)).body;
    expect(data).toMatchObject({ stepCount: 1, steps: [{ name: "ours" }], metadata: { "session.id": "ours" } });
    expect(data.steps[0].input).toBeUndefined();
    await sendPrompt(ours, span, "our prompt");
    const { body } = await ours.api.get(`/v0/traces/${span.traceId}/steps`);
    expect(body.data).toMatchObject([{ name: "ours", input: "our prompt" }]);
    expect(await theirTrace()).toEqual(annotated);
  });

  test("a record of a prompt alone reaches no step of the other", async () => {
    const alone = ids();
    await sendPrompt(ours, alone, "our prompt");
    await sendSpan(theirs, alone, "theirs");
    const { data } = (await api.get(`/v0/traces/${alone.traceId}`)).body;
    expect(data.steps[0].input).toBeUndefined();
    expect((await ours.api.get(`/v0/traces/${alone.traceId}`)).status).toBe(404);
  });

  test("a test is not reached, nor found by it", async () => {
    await sendSpan(ours, ids(), "ours", testId);
    expect((await api.get(`/v0/traces/by-test/${testId}`)).body.data.id).toBe(traceId);
    expect((await api.get(`/v0/traces?testId=${testId}`)).body.data).toHaveLength(1);
    expect((await ours.api.get(`/v0/tests/${testId}`)).status).toBe(404);
    const event = { type: "trace", testId };
    expect((await ours.api.post("/v0/ingest", { events: [event] })).status).toBe(200);
    expect((await api.get(`/v0/traces?testId=${testId}`)).body.data).toHaveLength(1);
  });
});
