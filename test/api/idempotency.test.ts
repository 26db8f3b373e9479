import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { nowhere } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const send = (key: string, json: object, path = "/v0/topics", method = "POST") =>
  api.send(method, path, { json, headers: { "idempotency-key": key } });
const topicsNamed = async (title: string) => (await api.get(`/v0/topics?title=${title}`)).body.pagination.total;

test("a repeat has no second effect and gets the first answer, marked as such", async () => {
  const [key, title] = [newId(), newId()];
  const first = await send(key, { title });
  const replay = await send(key, { title });
  const quoted = await send(`"${key}"`, { title });
  expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null]);
  for (const repeat of [replay, quoted]) {
    expect([repeat.status, repeat.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(repeat.body).toEqual(first.body);
  }
  expect(await topicsNamed(title)).toBe(1);
});

test("fifty at once have one effect; whoever is early is told to come again", async () => {
  const [key, title] = [newId(), newId()];
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(key, { title })));
  const created = answers.filter(({ status }) => status === 201);
  const early = answers.filter(({ status }) => status === 409);
  expect(created.length + early.length).toBe(50);
  expect(new Set(created.map(({ body }) => body.data.id)).size).toBe(1);
  for (const { headers } of early)
    expect([headers.get("retry-after"), headers.get("x-should-retry")]).toEqual(["1", null]);
  expect(await topicsNamed(title)).toBe(1);
});

test("another body under the same key is 422, not to be tried again", async () => {
  const key = newId();
  await send(key, { title: "one" });
  const { status, headers } = await send(key, { title: "two" });
  expect([status, headers.get("x-should-retry")]).toEqual([422, "false"]);
});

test("the same key is another request on another route, and for another application", async () => {
  const [key, title] = [newId(), newId()];
  const { body } = await send(key, { title });
  expect((await send(key, {}, `/v0/topics/${body.data.id}/archive`)).status).toBe(204);
  const other = await newTenant();
  const theirs = await other.api.send("POST", "/v0/topics", { json: { title }, headers: { "idempotency-key": key } });
  expect([theirs.status, theirs.headers.get("idempotency-replayed")]).toEqual([201, null]);
});

test("what failed is not kept: the same key works once the request is right", async () => {
  const key = newId();
  expect((await send(key, { title: "" })).status).toBe(400);
  expect((await send(key, { title: "a", quickstartId: newId() })).status).toBe(404);
  expect((await send(key, { title: "right" })).status).toBe(201);
});

test("a repeated API key creation is a conflict: the plaintext is kept nowhere", async () => {
  const key = newId();
  expect((await send(key, { name: "once" }, "/v0/api-keys")).status).toBe(201);
  const { status, headers } = await send(key, { name: "once" }, "/v0/api-keys");
  expect([status, headers.get("x-should-retry")]).toEqual([409, "false"]);
});

test("a key that is none is an issue beside all others", async () => {
  const { status, body } = await send("a b", { title: "" });
  expect(status).toBe(400);
  expect(body.issues.map(({ path }: { path: string[] }) => path.join("."))).toEqual(["title", "Idempotency-Key"]);
});

/** Operations that create or change something, with what they need; each answers a repeat with its first answer. */
const topic = (await api.post("/v0/topics", { title: newId() })).body.data.id;
const { document, version } = await documentOf();
const definition = (await api.post("/v0/definitions", { type: "FACT", name: newId() })).body.data.id;
const task = (await api.post("/v0/tasks", { title: newId(), description: "text" })).body.task.id;
const tag = (await api.post("/v0/tags", { name: newId() })).body.data.id;
const annotation = (await api.post("/v0/annotations", { title: "text" })).body.data.id;
const trace = (await api.post("/v0/ingest", { events: [{ type: "trace" }] })).body.data[0].id;
const question = { type: "trace", steps: [{ type: "request", content: "text" }] };
const questionTrace = (await api.post("/v0/ingest", { events: [question] })).body.data[0].id;
const judged = { traceId: trace, verdict: true, source: "TRACE_PAGE" };
const humanAnnotation = (await api.post("/v0/human-annotations", judged)).body.data.id;
const queue = (await api.post("/v0/human-annotation-queues", { topicId: topic })).body.data.id;
const otherTopic = (await api.post("/v0/topics", { title: newId() })).body.data.id;
const styleGuide = (await api.post("/v0/style-guides", { content: [] })).body.data.id;
await api.post("/v0/issues", { title: "text", source: "API", type: "SUGGESTED_TASK" });
const issue = (await api.get("/v0/issues")).body.data[0].id;
const fact = (await api.post("/v0/facts", { statement: "text", scope: "TOPIC" })).body.data.id;
const experiment = (await api.post("/v0/experiments", { title: "text" })).body.data.id;
const variants = `/v0/experiments/${experiment}/variants`;
const whole = { title: "text", configPatch: {} };
const experimentOfOne = (await api.post("/v0/experiments", { title: "text", taskIds: [task] })).body.data.id;
const variant = (await api.post(`/v0/experiments/${experimentOfOne}/variants`, whole)).body.data.id;
const variantPath = `/v0/experiments/${experimentOfOne}/variants/${variant}`;
const step = { type: "LLM", title: "text", externalId: "text" };
const inferenceStepIds = [(await api.post("/v0/inference-steps", step)).body.data.id];
const branched = (await api.post("/v0/experiments", { title: "text", inferenceStepIds })).body.data.id;
await api.post(`/v0/experiments/${branched}/variants`, whole);
const branch = { title: "text", configPatch: { text: { a: 1 } } };
const rejected = (await api.post(`/v0/experiments/${branched}/variants`, branch)).body.data.id;
// Prompts wait for their next attempt.
await api.post("/v0/webhook", { url: nowhere });
const quickstart = (await api.post("/v0/quickstarts", { title: "text" })).body.data.id;
const assignments = `/v0/quickstarts/${quickstart}/assignments`;
await api.post(`${assignments}/bulk`, { assignments: [{ stage: "KB_REVIEW", assignedTo: "a", topicId: topic }] });
const assignment = (await api.get(assignments)).body.data[0].id;
const result = { taskId: task, evaluations: [{ definitionId: definition }] };
async function documentOf() {
  const { document: made } = (await api.post("/v0/documents", { title: "text", content: "text" })).body;
  return { document: made.id, version: `/v0/documents/${made.id}/versions/1` };
}
const prompt = {
  ...{ traceId: newId().replaceAll("-", ""), spanId: "00f067aa0ba902b7", eventName: "gen_ai.user.message" },
  ...{ timeUnixNano: "1772443800000000000", body: { stringValue: "text" } },
};
const operations: [string, string, object][] = [
  ["POST", "/v0/ingest", { events: [{ type: "trace" }] }],
  ["POST", "/v1/traces", { resourceSpans: [] }],
  ["POST", "/v0/otel/v1/logs", { resourceLogs: [{ scopeLogs: [{ logRecords: [prompt] }] }] }],
  ["POST", "/v0/annotations", { title: "text" }],
  ["PUT", `/v0/annotations/${annotation}`, { title: "more" }],
  ["POST", "/v0/human-annotations", { ...judged, verdict: false, critique: "It names a fee that is gone." }],
  ["PUT", `/v0/human-annotations/${humanAnnotation}`, { verdict: true }],
  ["POST", "/v0/human-annotation-queues", { topicId: otherTopic }],
  ["POST", `/v0/human-annotation-queues/${queue}/items`, { traceIds: [trace] }],
  ["POST", `/v0/definitions/${definition}/calibration/queue`, { queueId: queue }],
  ["PUT", `/v0/issues/${issue}`, { title: "more" }],
  ["PATCH", "/v0/issues", { issueIds: [issue], comment: "more" }],
  ["PUT", `/v0/issues/${issue}/suggested-task`, { title: "text", description: "text" }],
  ["POST", "/v0/issues", { title: "text", source: "API" }],
  ["POST", "/v0/tests/results", { tests: [result] }],
  ["POST", "/v0/experiments", { title: "text" }],
  ["PUT", `/v0/experiments/${experiment}`, { title: "more" }],
  ["POST", variants, whole],
  ["PUT", variantPath, { title: "more" }],
  ["POST", `${variantPath}/run`, {}],
  ["POST", `${variantPath}/stop`, {}],
  ["POST", `${variantPath}/resume`, {}],
  ["POST", `/v0/experiments/${branched}/variants/${rejected}/reject`, {}],
  ["POST", "/v0/inference-steps", { type: "LLM", title: "text" }],
  ["POST", "/v0/quickstarts", { title: "text" }],
  ["POST", "/v0/documents", { title: "text", content: "text" }],
  ["POST", `/v0/documents/${document}/versions`, { title: "more", content: "more" }],
  ["PUT", version, { title: "other" }],
  ["PUT", `/v0/documents/${document}/tags`, { tagIds: [tag] }],
  ["PUT", `${assignments}/bulk`, { ids: [assignment], assignedTo: "b" }],
  ["POST", "/v0/definitions/link", { evalIds: [definition], taskIds: [task], config: { expected: "text" } }],
  ["PUT", `${version}/activate`, {}],
  ["POST", `${version}/activate`, {}],
  ["POST", "/v0/style-guides", { content: [] }],
  ["PUT", `/v0/style-guides/${styleGuide}`, { content: [] }],
  ["POST", "/v0/facts", { statement: "text", scope: "TOPIC", topicIds: [topic] }],
  ["POST", "/v0/facts/bulk", { facts: [{ statement: "text", scope: "APPLICATION" }] }],
  ["PUT", `/v0/facts/${fact}`, { statement: "more" }],
  ["POST", "/v0/definitions", { type: "FACT", name: newId() }],
  ["PUT", `/v0/definitions/${definition}`, { name: newId() }],
  ["POST", "/v0/definitions/link-application", { evalIds: [definition] }],
  ["POST", "/v0/definitions/link-topics", { evalIds: [definition], topicIds: [topic] }],
  ["POST", "/v0/tasks", { title: "text", description: "text" }],
  ["POST", "/v0/tasks/from-trace", { traceId: questionTrace }],
  ["PUT", `/v0/tasks/${task}`, { title: "more" }],
  ["PUT", `/v0/topics/${topic}`, { title: newId() }],
  ["POST", "/v0/tags", { name: newId() }],
  ["PUT", `/v0/tags/${tag}`, { name: newId() }],
  ["PUT", `/v0/tasks/${task}/tags`, { tagIds: [tag] }],
  ["POST", "/v0/applications", { title: "text", slug: newId() }],
];

test.each(operations)("a repeat is answered as the first time: %s %s", async (method, path, json) => {
  const key = newId();
  const first = await send(key, json, path, method);
  expect([first.body?.issues, first.status]).toEqual([undefined, expect.toSatisfy((status) => status < 300)]);
  const repeat = await send(key, json, path, method);
  expect([repeat.status, repeat.headers.get("idempotency-replayed")]).toEqual([first.status, "true"]);
  expect(repeat.body).toEqual(first.body);
});
