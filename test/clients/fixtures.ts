// Resources that exist before a client's operations are tested: one of each type, created by the API.

import type { Client } from "./client.ts";

// biome-ignore lint/suspicious/noExplicitAny: fixtures read ids from answers that the tests check
type Json = any;

export async function make(client: Client, method: string, path: string, body?: unknown): Promise<Json> {
  const answer = await client.send(method, path, { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export const steps = {
  "llm start": { type: "llm", event: "start", modelId: "gpt-4o", input: "What does a transfer cost?" },
  "llm end": {
    type: "llm",
    event: "end",
    modelId: "gpt-4o",
    output: '{"message":"Nothing."}',
    usage: { promptTokens: 12, completionTokens: 3 },
    finishReason: "stop",
  },
  tool: { type: "tool", toolCallId: "call_1", toolInput: '{"city":"Bern"}', toolOutput: "sunny" },
  retriever: { type: "retriever", query: "fee", result: "A transfer is free." },
  reranker: { type: "reranker" },
  agent: { type: "agent", input: "plan", output: "done" },
  embedding: { type: "embedding" },
  guardrail: { type: "guardrail", guardrailAction: "BLOCK", guardrailTriggered: true, guardrailType: "pii" },
  evaluator: {
    type: "evaluator",
    evaluationExplanation: "well put",
    evaluationLabel: "good",
    evaluationScore: 0.9,
    evaluatorName: "judge",
  },
  log: { type: "log", content: "cache miss" },
  group: {
    type: "group",
    key: "g1",
    input: "in",
    output: "out",
    guardrailAction: "LOG",
    guardrailTriggered: false,
    guardrailType: "toxicity",
  },
  response: { type: "response", content: "Nothing." },
  request: { type: "request", content: "What does a transfer cost?" },
};

export const commonStepFields = {
  costAmount: 0.25,
  durationMs: 120,
  endTime: "2026-11-01T10:00:01.000Z",
  error: "boom",
  group: "g1",
  metadata: { channel: "chat" },
  name: "answer",
  params: { temperature: 0.2 },
  status: "error",
  statusCode: "500",
  timestamp: "2026-11-01T10:00:00.000Z",
};

export async function fixtures(client: Client) {
  const made = (path: string, body?: unknown) => make(client, "POST", path, body);
  const quickstart = (await made("/v0/quickstarts", { title: "First steps" })).data;
  const topic = (await made("/v0/topics", { title: "Payments", quickstartId: quickstart.id })).data;
  const tag = (await made("/v0/tags", { name: "smoke" })).data;
  const styleGuide = (await made("/v0/style-guides", { content: [{ heading: "Tone", content: "Be brief." }] })).data;
  const naturalness = (await made("/v0/definitions", { name: "Natural", type: "NATURALNESS" })).data;
  const match = (
    await made("/v0/definitions", {
      name: "Match",
      type: "OUTPUT_MATCH",
      globalConfig: { type: "list", matchMode: "contains" },
    })
  ).data;
  const { task } = await made("/v0/tasks", { title: "Ask fees", description: "A fee", topicId: topic.id });
  const untagged = (await made("/v0/tasks", { title: "No tags", description: "None" })).task;
  await make(client, "PUT", `/v0/tasks/${task.id}/tags`, { tagIds: [tag.id] });
  await made("/v0/definitions/link", { evalIds: [match.id], taskIds: [task.id], config: { expected: "42" } });
  await made("/v0/definitions/link-application", { evalIds: [naturalness.id] });
  const { testIds, run } = await made("/v0/tests/results", {
    tests: [
      {
        taskId: task.id,
        passed: true,
        score: 1,
        evaluations: [
          {
            definitionId: match.id,
            passed: true,
            score: 1,
            message: "equal",
            results: { reason: "equal", score: 1, expected: "42", got: "42" },
          },
        ],
      },
      { taskId: untagged.id, passed: false, score: 0, evaluations: [{ definitionId: naturalness.id, passed: false }] },
    ],
  });
  await made("/v0/tests/results", {
    run: { type: "MONITORING" },
    tests: [{ taskId: task.id, passed: true, evaluations: [{ definitionId: match.id, passed: true, score: 1 }] }],
  });
  const [testId] = testIds as string[];
  const ingested = await made("/v0/ingest", {
    events: [
      {
        type: "trace",
        testId,
        referenceId: "call-1",
        timestamp: "2026-11-01T10:00:00.000Z",
        metadata: { channel: "chat" },
        steps: Object.values(steps).map((step, index) => ({
          ...step,
          ...(index === 0 && { costAmount: 0.5, durationMs: 1500, status: "error" }),
        })),
      },
    ],
  });
  const { document } = await made("/v0/documents", {
    title: "Fees",
    content: "A transfer is free.",
    status: "APPROVED",
    topicId: topic.id,
    metadata: { step: "review" },
  });
  await make(client, "PUT", `/v0/documents/${document.id}/tags`, { tagIds: [tag.id] });
  await made(`/v0/quickstarts/${quickstart.id}/assignments/bulk`, {
    assignments: [{ stage: "KB_REVIEW", assignedTo: "user-1", topicId: topic.id }],
  });
  const [assignment] = (await make(client, "GET", `/v0/quickstarts/${quickstart.id}/assignments`)).data;
  const experiment = (await made("/v0/experiments", { title: "Shorter prompt" })).data;
  const annotation = (await made("/v0/annotations", { title: "New model" })).data;
  const fact = (await made("/v0/facts", { statement: "A transfer is free.", scope: "TOPIC", topicIds: [topic.id] }))
    .data;
  await made("/v0/issues", { title: "Wrong fee", source: "API" });
  await made("/v0/issues", { title: "Fees", source: "API", type: "SUGGESTED_TASK" });
  const [suggestion, issue] = (await make(client, "GET", "/v0/issues")).data;
  return {
    fact,
    issue,
    suggestion,
    quickstart,
    topic,
    tag,
    styleGuide,
    naturalness,
    match,
    task,
    untagged,
    run,
    testId: testId ?? "",
    traceId: ingested.data[0]?.id as string,
    document,
    experiment,
    annotation,
    assignment,
    emptyTopic: (await made("/v0/topics", { title: "Cards" })).data,
  };
}
