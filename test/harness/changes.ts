// Every operation with an Idempotency-Key, with a valid request: test/api/idempotency.test.ts lists missing ones.

import { newId } from "@ems/kit/id";
import type { Api } from "./api.ts";
import { nowhere, storageEndpoint } from "./names.ts";

export type Change = readonly [method: string, path: string, json: object];

/** Changes by the client's tenant. Each succeeds when made in this order. */
export async function buildChanges(api: Api): Promise<Change[]> {
  const topic = (await api.post("/v0/topics", { title: newId() })).body.data.id;
  const { document, version } = await createDocument();
  const definition = (await api.post("/v0/definitions", { type: "FACT", name: newId() })).body.data.id;
  const task = (await api.post("/v0/tasks", { title: newId(), description: "text" })).body.task.id;
  const tag = (await api.post("/v0/tags", { name: newId() })).body.data.id;
  const annotation = (await api.post("/v0/annotations", { title: "text" })).body.data.id;
  const trace = (await api.post("/v0/ingest", { events: [{ type: "trace" }] })).body.data[0].id;
  const question = { type: "trace", steps: [{ type: "request", content: "text" }] };
  const questionTrace = (await api.post("/v0/ingest", { events: [question] })).body.data[0].id;
  const judged = { traceId: trace, verdict: true, source: "TRACE_PAGE" };
  const humanAnnotation = (await api.post("/v0/human-annotations", judged)).body.data.id;
  const { id: queue, assigneeId } = (await api.post("/v0/human-annotation-queues", { topicId: topic })).body.data;
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
  const exportSettings = {
    endpoint: storageEndpoint,
    bucket: "text",
    accessKeyId: "text",
    secretAccessKey: "text",
    datasets: ["TRACES"],
  };
  await api.send("PUT", "/v0/export-settings", { json: exportSettings });
  // Prompts wait for their next attempt.
  await api.post("/v0/webhook", { url: nowhere });
  const quickstart = (await api.post("/v0/quickstarts", { title: "text" })).body.data.id;
  const assignments = `/v0/quickstarts/${quickstart}/assignments`;
  await api.post(`${assignments}/bulk`, { assignments: [{ stage: "KB_REVIEW", assignedTo: "a", topicId: topic }] });
  const assignment = (await api.get(assignments)).body.data[0].id;
  const result = { taskId: task, evaluations: [{ definitionId: definition }] };
  const run = (await api.post("/v0/tests/results", { tests: [result] })).body.run.id;
  async function createDocument() {
    const { document: made } = (await api.post("/v0/documents", { title: "text", content: "text" })).body;
    return { document: made.id, version: `/v0/documents/${made.id}/versions/1` };
  }
  await api.post("/v0/model-connections", { name: "text", provider: "openai", model: "text", apiKey: "text" });
  const prompt = {
    traceId: newId().replaceAll("-", ""),
    spanId: "00f067aa0ba902b7",
    eventName: "gen_ai.user.message",
    timeUnixNano: "1772443800000000000",
    body: { stringValue: "text" },
  };
  const chosen = (await api.post("/v0/experiments", { title: "text", taskIds: [task] })).body.data.id;
  const measured = (await api.post(`/v0/experiments/${chosen}/variants`, whole)).body.data.id;
  await api.post("/v0/tests/results", { run: { experimentVariantId: measured }, tests: [{ taskId: task }] });
  const archived = (await api.post("/v0/tasks", { title: newId(), description: "text" })).body.task.id;
  const archivedTag = (await api.post("/v0/tags", { name: newId() })).body.data.id;
  const contradiction = {
    documentTestId: newId(),
    documentAId: newId(),
    documentBId: newId(),
    reason: "text",
    passageA: "a",
    passageB: "b",
  };
  const contradictions = `/v0/quickstarts/${quickstart}/contradictions`;
  const contradicted = (await api.post(contradictions, { contradictions: [contradiction] })).body.data[0].id;
  return [
    ["POST", "/v0/ingest", { events: [{ type: "trace" }] }],
    ["POST", "/v1/traces", { resourceSpans: [] }],
    ["POST", "/v0/otel/v1/logs", { resourceLogs: [{ scopeLogs: [{ logRecords: [prompt] }] }] }],
    ["POST", `/v0/traces/${trace}/feedback`, { thumb: "UP" }],
    ["POST", "/v0/traces/delete", { filter: {}, dryRun: true }],
    ["POST", "/v0/annotations", { title: "text" }],
    ["PUT", `/v0/annotations/${annotation}`, { title: "more" }],
    ["POST", "/v0/human-annotations", { ...judged, verdict: false, critique: "It names a fee that is gone." }],
    ["PUT", `/v0/human-annotations/${humanAnnotation}`, { verdict: true }],
    ["POST", "/v0/human-annotation-queues", { topicId: otherTopic }],
    ["PUT", `/v0/human-annotation-queues/${queue}`, { assigneeId }],
    ["POST", `/v0/human-annotation-queues/${queue}/items`, { traceIds: [trace] }],
    ["POST", `/v0/definitions/${definition}/calibration/queue`, { queueId: queue }],
    ["PUT", `/v0/issues/${issue}`, { title: "more" }],
    ["PATCH", "/v0/issues", { issueIds: [issue], comment: "more" }],
    ["PUT", `/v0/issues/${issue}/suggested-task`, { title: "text", description: "text" }],
    ["POST", "/v0/issues", { title: "text", source: "API" }],
    ["POST", "/v0/tests/results", { tests: [result] }],
    ["PUT", `/v0/runs/${run}`, { name: "more" }],
    ["POST", "/v0/experiments", { title: "text" }],
    ["POST", `/v0/experiments/${chosen}/variants/${measured}/promote`, {}],
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
    ["POST", "/v0/documents/tests/trigger", { type: "MECE" }],
    ["POST", "/v0/erasures", { user: "nobody" }],
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
    ["POST", "/v0/tasks/import", { format: "CSV", content: "title\ntext" }],
    ["POST", "/v0/tasks/from-trace", { traceId: questionTrace }],
    ["PUT", `/v0/tasks/${task}`, { title: "more" }],
    ["PUT", `/v0/topics/${topic}`, { title: newId() }],
    ["POST", "/v0/tags", { name: newId() }],
    ["PUT", `/v0/tags/${tag}`, { name: newId() }],
    ["PUT", `/v0/tasks/${task}/tags`, { tagIds: [tag] }],
    ["PATCH", "/v0/topics", { topicIds: [otherTopic], baseline: 0.5 }],
    ["POST", "/v0/definitions/unlink", { evalIds: [definition], taskIds: [task] }],
    ["POST", "/v0/definitions/unlink-application", { evalIds: [definition] }],
    ["POST", "/v0/definitions/unlink-topics", { evalIds: [definition], topicIds: [topic] }],
    ["POST", "/v0/documents/status", { documentIds: [document], status: "DRAFT" }],
    ["POST", "/v0/evals/rerun", { status: ["FAILED"] }],
    ["POST", "/v0/otel/logs", { resourceLogs: [] }],
    ["POST", "/v1/logs", { resourceLogs: [] }],
    ["POST", "/v0/otel/traces", { resourceSpans: [] }],
    ["POST", "/v0/otel/v1/traces", { resourceSpans: [] }],
    ["POST", `${assignments}/bulk`, { assignments: [{ stage: "KB_REVIEW", assignedTo: "a", topicId: otherTopic }] }],
    ["POST", contradictions, { contradictions: [contradiction] }],
    ["PUT", `${contradictions}/${contradicted}`, { resolved: true }],
    ["POST", "/v0/tasks/tags", { taskIds: [task], tagIds: [tag] }],
    ["POST", "/v0/tasks/untag", { taskIds: [task], tagIds: [tag] }],
    ["POST", `/v0/tasks/${archived}/archive`, {}],
    ["POST", `/v0/tags/${archivedTag}/archive`, {}],
    ["PUT", "/v0/evaluation-settings", { votes: 3 }],
    ["PUT", "/v0/model-prices", { prices: [{ model: "m", inputPerMillion: 1, outputPerMillion: 2 }] }],
    ["POST", "/v0/model-prices/reprice", { startDate: "2026-01-01T00:00:00Z", endDate: "2026-01-02T00:00:00Z" }],
    ["POST", "/v0/ingest-settings/reread", { startDate: "2026-01-01T00:00:00Z", endDate: "2026-01-02T00:00:00Z" }],
    ["PUT", "/v0/ingest-settings", { redactions: [{ name: "none", pattern: "matches-nothing" }] }],
    ["PUT", "/v0/export-settings", exportSettings],
    ["POST", "/v0/export-settings/test", {}],
    ["PUT", `/v0/tasks/${task}/schedule`, { cron: "0 6 * * *", timezone: "UTC", criticality: "LOW" }],
    ["POST", "/v0/invitations", { email: "grace@example.com", role: "VIEWER" }],
    ["POST", "/v0/applications", { title: "text", slug: newId() }],
  ];
}
